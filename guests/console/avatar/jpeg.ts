import { exifOf, orientationOf } from './orientation.js'
import { usualMaxSide, type ReadPicture } from './picture.js'

/** Usual progressive files have about ten; each goes through all pixels again. */
const maxScans = 32

/** Markers (ITU-T T.81, table B.1). */
const startOfScan = 0xda
const endOfImage = 0xd9
/** Baseline, extended and progressive with Huffman codes: what browsers show. */
const frames = [0xc0, 0xc1, 0xc2]
/** Huffman tables, quantization tables, restart intervals. */
const tables = [0xc4, 0xdb, 0xdd]
const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef
const comment = 0xfe

const exifName = 'Exif\0\0'
/** Segments of programs that say which colours are meant; all others, such as small pictures, are left out. */
const shown: Record<number, string> = { 0xe0: 'JFIF\0', 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' }

const begins = (content: Buffer, name: string): boolean => content.toString('latin1', 0, name.length) === name

/** Where the pixels of a scan end: at the next marker but those within a scan. */
const endOfScan = (file: Buffer, from: number): number => {
  let at = from
  for (; at + 1 < file.length; at++) {
    const next = file[at + 1] ?? 0
    if (file[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** One frame of eight bits, whose height is in its header, and its scans up to the end of the image. */
export const readJpeg: ReadPicture = (file) => {
  const parts: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let scans = 0
  let orientation = 1
  for (let at = 2; at + 2 <= file.length;) {
    if (file[at] !== 0xff) return undefined
    const marker = file[at + 1] ?? 0
    // Any number of fill bytes may come before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === endOfImage) {
      if (!size || scans === 0) return undefined
      const exif = orientation === 1 ? [] : [segment(0xe1, Buffer.concat([Buffer.from(exifName), exifOf(orientation)]))]
      const whole = [file.subarray(0, 2), ...exif, ...parts, file.subarray(at, at + 2)]
      return { ...size, maxSide: usualMaxSide, file: Buffer.concat(whole) }
    }
    if (at + 4 > file.length) return undefined
    const end = at + 2 + file.readUInt16BE(at + 2)
    const content = file.subarray(at + 4, end)
    if (end < at + 4 || end > file.length) return undefined
    if (frames.includes(marker)) {
      if (size || content.length < 6 || content.length !== 6 + 3 * (content[5] ?? 0) || content[0] !== 8)
        return undefined
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) }
      parts.push(file.subarray(at, end))
    } else if (marker === startOfScan) {
      if (!size || ++scans > maxScans) return undefined
      const stop = endOfScan(file, end)
      parts.push(file.subarray(at, stop))
      at = stop
      continue
    } else if (tables.includes(marker)) parts.push(file.subarray(at, end))
    else if (isApplication(marker)) {
      const name = shown[marker]
      if (name !== undefined && begins(content, name)) parts.push(file.subarray(at, end))
      if (marker === 0xe1 && orientation === 1 && begins(content, exifName))
        orientation = orientationOf(content.subarray(exifName.length))
    } else if (marker !== comment) return undefined
    at = end
  }
  return undefined
}
