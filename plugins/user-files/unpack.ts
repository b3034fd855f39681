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
