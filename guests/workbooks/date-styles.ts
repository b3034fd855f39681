import { WorkbookFault, type PartReader } from './unpack.js'
import { createXmlReader } from './xml.js'

/** Styles that a program can make (Excel: 65,490). */
const maxStyles = 65_536
const day = 86_400_000
/** Days from 1970 to the day from which a workbook counts. That of 1900 has a 29 February, which only spreadsheet programs know. */
const firstDays = { from1900: 25_569, from1904: 24_107 }

/** The formats of dates and times that every program knows by their numbers (ECMA-376 Part 1, 18.8.30). */
const knownFormats = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const
const isKnownDate = (format: number): boolean => knownFormats.some(([first, last]) => first <= format && format <= last)

/** Texts, escaped characters, gaps, and colours, languages and conditions in brackets; `[h]` stands for hours. */
const besidesPlaces = /"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/** Whether a format shows dates or times: one of its parts, for different numbers, has places for them and none for digits. */
const isDateFormat = (code: string): boolean =>
  code
    .replace(besidesPlaces, '')
    .split(';')
    .some((part) => /[admyhs]/i.test(part) && !/[#?]|general/i.test(part))

/** Reads a number as the date that it stands for under a style; undefined under a style that shows numbers. */
export type ReadDate = (style: number, value: number) => Date | undefined

/** Reads which styles show dates. `isFrom1904` says from which year the workbook counts days. */
export const createDateStyles = (isFrom1904: boolean) => {
  const formats = new Map<number, boolean>()
  /** The formats of the styles of cells, and of those on which they are based. */
  const ofCells: number[] = []
  const based: number[] = []
  const lists = new Map([
    ['cellXfs', ofCells],
    ['cellStyleXfs', based],
  ])
  let list: number[] | undefined
  const reader: PartReader = createXmlReader({
    open(name, attributes) {
      list = lists.get(name) ?? list
      if (name === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributes()
        formats.set(Number(numFmtId), isDateFormat(formatCode))
      } else if (name === 'xf' && list) {
        const { numFmtId, xfId } = attributes()
        list.push(Number(numFmtId ?? based[Number(xfId)] ?? 0))
      }
      if ((list?.length ?? 0) > maxStyles || formats.size > maxStyles) throw new WorkbookFault('workbook')
    },
    close(name) {
      if (lists.has(name)) list = undefined
    },
  })
  const firstDay = isFrom1904 ? firstDays.from1904 : firstDays.from1900
  const readDate: ReadDate = (style, value) => {
    const format = ofCells[style]
    if (format === undefined || !(formats.get(format) ?? isKnownDate(format))) return undefined
    return new Date(Math.round((value - firstDay) * day))
  }
  return { reader, readDate }
}
