export interface PictureHeader {
  /** Pixels. */
  width: number
  height: number
  /** How often the pixels are gone through: a progressive JPEG refines them, and a malicious one does so thousands of times. */
  scans: number
}

type Read = (file: Buffer) => PictureHeader | undefined

/** Whether the last chunk is there, before which each has its length. */
const hasEndOfPng = (file: Buffer): boolean => {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return true
  return false
}

const readPng: Read = (file) =>
  file.length >= 24 && hasEndOfPng(file)
    ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20), scans: 1 }
    : undefined

/** Start-of-frame markers (ITU-T T.81, table B.1): all of this row but DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const startOfScan = Buffer.from([0xff, 0xda])
const endOfImage = Buffer.from([0xff, 0xd9])

const countScans = (file: Buffer): number => {
  let count = 0
  for (let at = file.indexOf(startOfScan); at !== -1; at = file.indexOf(startOfScan, at + 2)) count++
  return count
}

const readJpeg: Read = (file) => {
  // Segments of a marker and a length, from after the start of the picture.
  for (let at = 2; at + 9 <= file.length;) {
    if (file[at] !== 0xff) return undefined
    const marker = file[at + 1] ?? 0
    // Markers may be preceded by any number of fill bytes.
    if (marker === 0xff) at++
    else if (isFrame(marker)) {
      // Before the frame may be a small picture with an end of its own.
      if (!file.includes(endOfImage, at)) return undefined
      return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7), scans: countScans(file) }
    } else at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

/** The three forms of the container (RFC 9649 2.5 to 2.7). */
const readWebp: Read = (file) => {
  if (file.length < 30 || file.length < 8 + file.readUInt32LE(4)) return undefined
  const form = file.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1, scans: 1 }
  if (form === 'VP8 ')
    return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff, scans: 1 }
  if (form !== 'VP8L') return undefined
  const bits = file.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, scans: 1 }
}

const formats: { isOf: (file: Buffer) => boolean; read: Read }[] = [
  { isOf: (file) => file.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')), read: readPng },
  { isOf: (file) => file.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')), read: readJpeg },
  {
    isOf: (file) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
    read: readWebp,
  },
]

/**
 * What a PNG, JPEG or WebP file says of its size; undefined for any other file, and for one that was cut off: the library that
 * decodes pictures shows the part that is there, and begins to decode before it tells how large they are.
 */
export const readPictureHeader = (file: Buffer): PictureHeader | undefined =>
  formats.find(({ isOf }) => isOf(file))?.read(file)
