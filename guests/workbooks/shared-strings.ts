import type { PartReader } from './unpack.js'
import { createXmlReader } from './xml.js'

const shortestItem = '<si/>'.length

/** Texts of a workbook may contain escaped UTF-16 units, such as `_x000D_` (ECMA-376 Part 1, 22.9.2.19). */
export const unescapeText = (text: string): string =>
  text.replace(/_x([\dA-F]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/**
 * The texts that the cells of a workbook share, from a part of `size` bytes. They are kept as one piece of UTF-8: as strings,
 * millions of short ones would take several times the memory.
 */
export const createSharedStrings = (size: number) => {
  // Memory that is never written to is never taken.
  const ends = new Uint32Array(Math.floor(size / shortestItem) + 1)
  const texts = Buffer.alloc(size)
  let count = 0
  let length = 0
  let item: string[] | undefined
  let isText = false
  let isPhonetic = false
  const reader: PartReader = createXmlReader({
    open(name) {
      if (name === 'si') item = []
      else if (name === 't') isText = true
      else if (name === 'rPh') isPhonetic = true
    },
    text(text) {
      if (isText && !isPhonetic) item?.push(text)
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      if (name !== 'si' || !item) return
      length += texts.write(unescapeText(item.join('')), length)
      ends[count++] = length
      item = undefined
    },
  })
  return {
    reader,
    /** Undefined when there is none. */
    get: (index: number): string | undefined =>
      index < count ? texts.toString('utf8', index === 0 ? 0 : ends[index - 1], ends[index]) : undefined,
  }
}

export type SharedStrings = Pick<ReturnType<typeof createSharedStrings>, 'get'>
