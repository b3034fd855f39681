import { Unzip, UnzipInflate } from 'fflate'
import type { WorkbookRule } from './rules.js'

/** Thrown in the thread; `rule` says what is wrong with the workbook. */
export class WorkbookFault extends Error {
  constructor(
    readonly rule: WorkbookRule,
    readonly limit?: number,
  ) {
    super(rule)
  }
}

const mebibyte = 2 ** 20
/** Mebibytes. */
export const maxUnpacked = 64
/** XML of people's lists shrinks to a tenth; bombs to a thousandth. Small files may shrink more. */
const maxRatio = 200
const smallSize = mebibyte
const maxParts = 200
/** Bytes that are inflated in one go: they become 4 MiB at most. */
const chunkSize = 4 * 1024

/** The record at the end of a zip file (APPNOTE.TXT 4.3.16), and where its fields are. */
const end = {
  signature: Buffer.from('PK\x05\x06'),
  length: 22,
  directorySize: 12,
  directoryStart: 16,
  commentLength: 20,
}
/** In files of version zip64 the fields are elsewhere. */
const elsewhere = 0xffff_ffff

const isEnd = (bytes: Buffer, start: number): boolean => {
  if (start + end.length > bytes.length) return false
  if (start + end.length + bytes.readUInt16LE(start + end.commentLength) > bytes.length) return false
  const directoryStart = bytes.readUInt32LE(start + end.directoryStart)
  return directoryStart === elsewhere || directoryStart + bytes.readUInt32LE(start + end.directorySize) === start
}

/** Whether the file is there to its end: the first rows of one that was cut off could be read all the same. */
const isWhole = (file: Uint8Array): boolean => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  // A comment, or what comes after the end, may contain the signature, too.
  let start = bytes.lastIndexOf(end.signature)
  while (start > 0 && !isEnd(bytes, start)) start = bytes.lastIndexOf(end.signature, start - 1)
  return start > 0
}

/** Reads a part of a workbook piece by piece, as it is unpacked. */
export interface PartReader {
  write: (piece: Uint8Array) => void
  end: () => void
}

/**
 * Unpacks the parts of a workbook for which `readerOf` gives a reader. No part is ever in memory as a whole. The first fault
 * of a reader, or of the file, is thrown.
 */
export const unpack = (workbook: Uint8Array, readerOf: (name: string) => PartReader | undefined): void => {
  let fault: unknown
  // The library hands what is thrown here back as its own error; the first fault counts.
  const guard = (work: () => void): void => {
    try {
      if (fault === undefined) work()
    } catch (error) {
      fault = error
    }
  }
  const zip = new Unzip((part) =>
    guard(() => {
      const reader = readerOf(part.name)
      if (!reader) return
      part.ondata = (error, piece, final) =>
        guard(() => {
          if (error) throw new WorkbookFault('workbook')
          reader.write(piece)
          if (final) reader.end()
        })
      part.start()
    }),
  )
  zip.register(UnzipInflate)
  for (let start = 0; start < workbook.length && fault === undefined; start += chunkSize) {
    const stop = Math.min(start + chunkSize, workbook.length)
    guard(() => zip.push(workbook.subarray(start, stop), stop === workbook.length))
  }
  if (fault !== undefined) throw fault as Error
}

/**
 * The sizes in bytes of the XML parts of a workbook by their names, counted by what really comes out: sizes in the directory of
 * a zip file may be wrong. Other parts, such as pictures and archives, stay packed.
 */
export const measure = (workbook: Uint8Array): Map<string, number> => {
  if (!isWhole(workbook)) throw new WorkbookFault('workbook')
  const sizes = new Map<string, number>()
  let unpacked = 0
  unpack(workbook, (name) => {
    if (!/\.(xml|rels)$/.test(name)) return undefined
    if (sizes.size >= maxParts || sizes.has(name)) throw new WorkbookFault('workbook')
    sizes.set(name, 0)
    return {
      write({ length }) {
        unpacked += length
        sizes.set(name, (sizes.get(name) ?? 0) + length)
        const isBomb = unpacked > smallSize && unpacked > workbook.length * maxRatio
        if (unpacked > maxUnpacked * mebibyte || isBomb) throw new WorkbookFault('unpacked', maxUnpacked)
      },
      end: () => undefined,
    }
  })
  return sizes
}
