/** Which way up a picture is (Exif 2.3, 4.6.4 A): 1 as it is stored, up to 8. */
const tag = 0x0112

/** The orientation of Exif data, which are a TIFF file; 1 where they name none that is one. */
export const orientationOf = (tiff: Buffer): number => {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || !['II', 'MM'].includes(order)) return 1
  const [read16, read32] =
    order === 'II'
      ? [(at: number) => tiff.readUInt16LE(at), (at: number) => tiff.readUInt32LE(at)]
      : [(at: number) => tiff.readUInt16BE(at), (at: number) => tiff.readUInt32BE(at)]
  const start = read32(4)
  if (start + 2 > tiff.length) return 1
  const end = Math.min(tiff.length, start + 2 + read16(start) * 12)
  for (let at = start + 2; at + 12 <= end; at += 12) {
    const value = read16(at + 8)
    if (read16(at) === tag) return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Exif data that say this and nothing else: a TIFF header, one field of one 16-bit number, and no further directory. */
export const exifOf = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a 00000008 0001 0112 0003 00000001 00000000 00000000'.replaceAll(' ', ''), 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
