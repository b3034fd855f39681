import { crc32 } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'

/** A drawing; `noise` makes every pixel another colour, which no format makes small. */
const draw = (width: number, height: number, noise = false) => {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#c03030'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#3050c0'
  context.fillRect(width / 4, height / 4, width / 2, height / 2)
  if (noise) {
    const pixels = context.createImageData(width, height)
    let state = 1
    for (let at = 0; at < pixels.data.length; at += 1)
      pixels.data[at] = at % 4 === 3 ? 255 : (state = (state * 48271) % 2147483647) % 256
    context.putImageData(pixels, 0, 0)
  }
  return canvas
}

export const png = (width: number, height: number, noise = false): Buffer =>
  draw(width, height, noise).toBuffer('image/png')
export const jpeg = (width: number, height: number): Buffer => draw(width, height).toBuffer('image/jpeg')
export const webp = (width: number, height: number): Buffer => draw(width, height).toBuffer('image/webp')

/** A PNG whose header claims this size. */
export const pngThatClaims = (width: number, height: number): Buffer => {
  const file = png(16, 16)
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29)
  return file
}

/** A WebP whose outer header claims 16 x 16 pixels for a picture of 640 x 480. */
export const webpThatClaims = (): Buffer => {
  const inner = webp(640, 480).subarray(12)
  const header = Buffer.alloc(18)
  header.write('VP8X', 0)
  header.writeUInt32LE(10, 4)
  header.writeUIntLE(15, 12, 3)
  header.writeUIntLE(15, 15, 3)
  const riff = Buffer.alloc(12)
  riff.write('RIFF', 0)
  riff.writeUInt32LE(4 + header.length + inner.length, 4)
  riff.write('WEBP', 8)
  return Buffer.concat([riff, header, inner])
}

/** A grey progressive JPEG of 8 x 8 pixels (ITU-T T.81, G): a scan of the means, then scans without any detail. */
export const progressiveJpeg = (scans: number): Buffer => {
  const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
  // One code of one bit, 0, which means that nothing differs.
  const table = (kind: string) => hex(`ffc4 0014 ${kind} 01${'00'.repeat(15)} 00`)
  const detail = hex('ffda 0008 01 0100 01 3f 00 7f')
  return Buffer.concat([
    hex(`ffd8 ffdb 0043 00 ${'01'.repeat(64)} ffc2 000b 08 0008 0008 01 011100`),
    table('00'),
    table('10'),
    hex('ffda 0008 01 0100 00 00 00 7f'),
    ...Array.from({ length: scans - 1 }, () => detail),
    hex('ffd9'),
  ])
}

/** The signature of a PNG and its last chunk. */
export const emptyPng = Buffer.from('89504e470d0a1a0a0000000049454e44ae426082', 'hex')

export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>')
