import { usualMaxSide, type ReadPicture } from './picture.js'

/** Chunks before the pixels that change how they look (PNG specification, 5.6); each comes once at most. */
const shown = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'])

/** Bit 5 of the first letter: decoders may skip the chunk. */
const isAncillary = (type: string): boolean => (type.charCodeAt(0) & 0x20) !== 0

/** One IHDR, which comes first, then the pixels in one piece, up to IEND. Frames of animations are left out. */
export const readPng: ReadPicture = (file) => {
  const parts = [file.subarray(0, 8)]
  const seen = new Set<string>()
  let last: string | undefined
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const chunk = file.subarray(at, at + 12 + length)
    if (chunk.length < 12 + length) return undefined
    if ((last === undefined) !== (type === 'IHDR')) return undefined
    const isShown = shown.has(type)
    if (isShown && (seen.has(type) || seen.has('IDAT'))) return undefined
    if (type === 'IDAT' && seen.has('IDAT') && last !== 'IDAT') return undefined
    if (type === 'IHDR' && length !== 13) return undefined
    if (isShown || ['IHDR', 'IDAT', 'IEND'].includes(type)) {
      seen.add(type)
      parts.push(chunk)
    } else if (!isAncillary(type)) return undefined
    if (type === 'IEND') {
      if (!seen.has('IDAT')) return undefined
      const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
      return { width, height, maxSide: usualMaxSide, file: Buffer.concat(parts) }
    }
    last = type
    at += chunk.length
  }
  return undefined
}
