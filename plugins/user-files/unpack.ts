import { Unzip, UnzipInflate, zipSync } from 'fflate'
import type { ViolationRule } from '../../schemas/violations.js'

/** Thrown in the thread; `rule` says what is wrong with the workbook. */
export class WorkbookFault extends Error {
  constructor(
    readonly rule: ViolationRule,
    readonly limit?: number,
  ) {
    super(rule)
  }
}

const mebibyte = 2 ** 20
const maxUnpacked = 64
/** XML of people's lists shrinks to a tenth; bombs to a thousandth. Small files may shrink more. */
const maxRatio = 200
const smallSize = mebibyte
const maxParts = 200
/** Bytes that are inflated before they are counted. */
const chunkSize = 16 * 1024

/** The record at the end of a zip file (APPNOTE.TXT 4.3.16): its signature, its length, and where it has the length of a comment. */
const end = { signature: Buffer.from('PK\x05\x06'), length: 22, commentLength: 20 }

/** Whether the file is there to its end: the first rows of one that was cut off could be read all the same. */
const isWhole = (file: Uint8Array): boolean => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const start = bytes.lastIndexOf(end.signature)
  const isThere = start >= 0 && start + end.length <= bytes.length
  return isThere && start + end.length + bytes.readUInt16LE(start + end.commentLength) <= bytes.length
}

/**
 * Unpacks the XML parts of a workbook, and counts what really comes out: sizes in the directory of a zip file may be wrong.
 * Other parts, such as pictures and archives, stay packed.
 */
export const unpack = (workbook: Uint8Array): Record<string, Uint8Array> => {
  const parts: Record<string, Uint8Array[]> = {}
  let unpacked = 0
  let fault: WorkbookFault | undefined
  // The library hands what is thrown here back as its own error; the first fault counts.
  const refuse = (rule: ViolationRule, limit?: number): never => {
    fault ??= new WorkbookFault(rule, limit)
    throw fault
  }
  const zip = new Unzip((part) => {
    if (!/\.(xml|rels)$/.test(part.name)) return
    if (Object.keys(parts).length >= maxParts || part.name in parts) refuse('workbook')
    const chunks: Uint8Array[] = (parts[part.name] = [])
    part.ondata = (error, chunk) => {
      if (error) refuse('workbook')
      unpacked += chunk.length
      const isBomb = unpacked > smallSize && unpacked > workbook.length * maxRatio
      if (unpacked > maxUnpacked * mebibyte || isBomb) refuse('workbook_unpacked', maxUnpacked)
      chunks.push(chunk)
    }
    part.start()
  })
  zip.register(UnzipInflate)
  if (!isWhole(workbook)) refuse('workbook')
  for (let start = 0; start < workbook.length; start += chunkSize) {
    const stop = Math.min(start + chunkSize, workbook.length)
    zip.push(workbook.subarray(start, stop), stop === workbook.length)
  }
  return Object.fromEntries(Object.entries(parts).map(([name, chunks]) => [name, Buffer.concat(chunks)]))
}

/** The same workbook, not compressed, for a library that unpacks again: it finds only what has been counted. */
export const repack = (parts: Record<string, Uint8Array>): ArrayBuffer => {
  const { buffer, byteOffset, byteLength } = zipSync(parts, { level: 0 })
  return buffer.slice(byteOffset, byteOffset + byteLength)
}
