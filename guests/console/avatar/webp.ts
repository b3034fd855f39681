import { exifOf, orientationOf } from './orientation.js'
import { usualMaxSide, type ReadPicture } from './picture.js'

/**
 * Pixels without loss, of a picture or of its transparency: each block of 4 x 4 pixels may have Huffman codes of its own, of 6 KiB in memory and
 * three bytes in the file (RFC 9649 3.7.2.2).
 */
const losslessMaxSide = 512

interface Frame {
  width: number
  height: number
  hasAlpha: boolean
}

/** The header of a key frame (RFC 6386 9.1). */
const readLossy = (data: Buffer): Frame | undefined => {
  if (data.length < 10 || ((data[0] ?? 1) & 1) === 1 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff, hasAlpha: false }
}

/** RFC 9649 3.4: a signature, two sizes, whether there is transparency, and version 0. */
const readLossless = (data: Buffer): Frame | undefined => {
  if (data.length < 5 || data[0] !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  if (bits >>> 29 !== 0) return undefined
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha: ((bits >>> 28) & 1) === 1 }
}

/** The chunks by their names; undefined where one comes twice, is cut off, or belongs to an animation. */
const readChunks = (file: Buffer): Map<string, Buffer> | undefined => {
  const end = file.length < 12 ? 0 : 8 + file.readUInt32LE(4)
  if (end < 12 || end > file.length) return undefined
  const chunks = new Map<string, Buffer>()
  for (let at = 12; at < end;) {
    if (at + 8 > end) return undefined
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    if (at + 8 + length > end || chunks.has(name) || name === 'ANIM' || name === 'ANMF') return undefined
    chunks.set(name, file.subarray(at + 8, at + 8 + length))
    at += 8 + length + (length % 2)
  }
  return chunks
}

const toChunk = (name: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The outer header (RFC 9649 2.7.1). */
const headerOf = ({ width, height, hasAlpha }: Frame, hasProfile: boolean, hasExif: boolean): Buffer => {
  const header = Buffer.alloc(10)
  header[0] = (hasProfile ? 0x20 : 0) | (hasAlpha ? 0x10 : 0) | (hasExif ? 0x08 : 0)
  header.writeUIntLE(width - 1, 4, 3)
  header.writeUIntLE(height - 1, 7, 3)
  return header
}

/** One picture, whose size is the same in both headers where there are two. */
export const readWebp: ReadPicture = (file) => {
  const chunks = readChunks(file)
  if (!chunks) return undefined
  const [outer, lossy, lossless, alpha] = ['VP8X', 'VP8 ', 'VP8L', 'ALPH'].map((name) => chunks.get(name))
  if ((lossy === undefined) === (lossless === undefined) || (lossless && alpha)) return undefined
  const frame = lossy ? readLossy(lossy) : lossless && readLossless(lossless)
  if (!frame || frame.width === 0 || frame.height === 0) return undefined
  const { width, height } = frame
  if (outer && (outer.length < 10 || outer.readUIntLE(4, 3) !== width - 1 || outer.readUIntLE(7, 3) !== height - 1))
    return undefined

  const profile = chunks.get('ICCP')
  const orientation = orientationOf(chunks.get('EXIF') ?? Buffer.alloc(0))
  const header = headerOf({ ...frame, hasAlpha: frame.hasAlpha || !!alpha }, !!profile, orientation !== 1)
  const parts: [name: string, data: Buffer | undefined][] = [
    ['VP8X', header],
    ['ICCP', profile],
    ['ALPH', alpha],
    ['VP8 ', lossy],
    ['VP8L', lossless],
    ['EXIF', orientation === 1 ? undefined : exifOf(orientation)],
  ]
  const content = parts.flatMap(([name, data]) => (data ? [toChunk(name, data)] : []))
  const isLossless = !!lossless || ((alpha?.[0] ?? 0) & 3) !== 0
  return {
    width,
    height,
    maxSide: isLossless ? losslessMaxSide : usualMaxSide,
    file: toChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...content])),
  }
}
