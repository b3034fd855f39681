import { crc32, deflateSync } from 'node:zlib'
import { jpeg, png, webp } from './pictures.js'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const hex16 = (number: number): string => number.toString(16).padStart(4, '0')

const signature = hex('89504e470d0a1a0a')
const pngChunk = (type: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}
const header = (width: number, height: number, depth: number, color: number, interlace = 0): Buffer =>
  hex(`0000${hex16(width)} 0000${hex16(height)} ${depth.toString(16).padStart(2, '0')} 0${color} 0000 0${interlace}`)
const blank = (bytes: number): Buffer => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes)))
const end = pngChunk('IEND')

const manyPixels = blank(20_000 * 2501)
const oneBit = pngChunk('IHDR', header(20_000, 20_000, 1, 0))
const tiny = header(1, 1, 1, 0)

/** Where the chunks of a small PNG are: its header ends at 33. */
const small = png(16, 16)
const inPng = (...chunks: Buffer[]): Buffer => Buffer.concat([small.subarray(0, 33), ...chunks, small.subarray(33)])

/** An animation whose second frame claims to be large; only the first picture is shown. */
export const animatedPng = (): Buffer => {
  const frame = Buffer.alloc(26)
  frame.writeUInt32BE(20_000, 4)
  frame.writeUInt32BE(20_000, 8)
  const animation = pngChunk('acTL', hex('00000002 00000000'))
  return Buffer.concat([
    inPng(animation).subarray(0, -12),
    pngChunk('fcTL', frame),
    pngChunk('fdAT', Buffer.alloc(9)),
    end,
  ])
}

/** The seven passes of Adam7 take 16 bytes for each pixel. */
export const interlacedPng = (side: number): Buffer => {
  const rows = (side * side * 8 + (side * 15) / 8) | 0
  return Buffer.concat([signature, pngChunk('IHDR', header(side, side, 16, 6, 1)), blank(rows), end])
}

/** A progressive JPEG of four components, whose coefficients are all in memory at once. */
export const progressive = (side: number, scans: number): Buffer => {
  const ids = ['01', '02', '03', '04']
  const table = (kind: string) => hex(`ffc4 0014 ${kind} 01${'00'.repeat(15)} 00`)
  const blocks = (side * side) / 64
  return Buffer.concat([
    hex(`ffd8 ffdb 0043 00 ${'01'.repeat(64)} ffc2 0014 08 ${hex16(side)} ${hex16(side)} 04`),
    hex(ids.map((id) => `${id}1100`).join('')),
    table('00'),
    table('10'),
    hex(`ffda 000e 04 ${ids.map((id) => `${id}00`).join('')} 00 00 00`),
    Buffer.alloc(blocks / 2),
    ...Array.from({ length: scans - 1 }, (_, index) =>
      Buffer.concat([hex(`ffda 0008 01 ${ids[index % 4]}00 01 3f 00`), Buffer.alloc(blocks / 8)]),
    ),
    hex('ffd9'),
  ])
}

const inJpeg = (at: number, ...segments: Buffer[]): Buffer => {
  const file = jpeg(16, 16)
  return Buffer.concat([file.subarray(0, at), ...segments, file.subarray(at)])
}
const frameOf = (side: number): Buffer => hex(`ffc0 000b 08 ${hex16(side)} ${hex16(side)} 01 011100`)
const startOfFrame = jpeg(16, 16).indexOf(hex('ffc0'))

const withBytes = (file: Buffer, at: number, bytes: string): Buffer => {
  hex(bytes).copy(file, at)
  return file
}

const riff = (...chunks: [name: string, data: Buffer][]): Buffer => {
  const content = Buffer.concat([
    Buffer.from('WEBP'),
    ...chunks.flatMap(([name, data]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(data.length)
      return [Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]
    }),
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from('RIFF'), length, content])
}

/** The chunk of the pixels of a WebP. */
const lossyOf = (side: number): Buffer => {
  const file = webp(side, side)
  const at = file.indexOf('VP8 ')
  return file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4))
}

/** Writes bits as WebP has them: the lowest first. */
const createBits = () => {
  const bytes: number[] = []
  let count = 0
  return {
    put: (value: number, bits: number): void => {
      for (let bit = 0; bit < bits; bit++, count++) {
        if (count % 8 === 0) bytes.push(0)
        bytes[count >> 3] = (bytes[count >> 3] ?? 0) | (((value >>> bit) & 1) << (count % 8))
      }
    },
    content: () => Buffer.from(bytes),
  }
}

/** A lossless WebP of one color in which each block of 4 x 4 pixels has five Huffman codes of its own (RFC 9649 3.7.2.2). */
export const manyCodes = (side: number): Buffer => {
  const { put, content } = createBits()
  const reversed = Array.from({ length: 256 }, (_, byte) =>
    parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
  )
  /** A code of one symbol, 0, which takes no bits. */
  const oneSymbol = () => put(0b0001, 4)
  /** A code in which each byte has eight bits; `rest` are symbols that are not used. */
  const eightBits = (rest: number) => {
    put(0, 1)
    put(15, 4)
    // Lengths of 0 and of 8 are written with one bit each, in the order of the format: 17, 18, 0 ... 8 ...
    for (const length of [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
      put(length === 0 || length === 8 ? 1 : 0, 3)
    put(0, 1)
    for (let symbol = 0; symbol < 256 + rest; symbol++) put(symbol < 256 ? 1 : 0, 1)
  }
  put(0x2f, 8)
  put(side - 1, 14)
  put(side - 1, 14)
  put(0, 1 + 3)
  // No transform, no color cache, and a picture of which codes each block has, in blocks of 4 x 4.
  put(0b100, 3)
  put(0, 3)
  put(0, 1)
  eightBits(24)
  eightBits(0)
  for (let code = 0; code < 3; code++) oneSymbol()
  const blocks = (side / 4) ** 2
  for (let block = 0; block < blocks; block++) {
    put(reversed[block & 255] ?? 0, 8)
    put(reversed[block >> 8] ?? 0, 8)
  }
  for (let code = 0; code < blocks * 5; code++) oneSymbol()
  return riff(['VP8L', content()])
}

/** `width` and `height` are what the outer header of a WebP claims. */
const outer = (side: number, flags = 0): Buffer => {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(side - 1, 4, 3)
  data.writeUIntLE(side - 1, 7, 3)
  return data
}

/** Files that decoders forgive, or in which another header than the first one counts. */
export const hostilePictures: [sentence: string, content: Buffer][] = [
  [
    'a PNG whose first chunk is none that is known and looks like a header of 1 x 1, before that of 20,000 x 20,000',
    Buffer.concat([signature, pngChunk('aaAa', tiny), oneBit, manyPixels, end]),
  ],
  ['the same with a chunk of a text', Buffer.concat([signature, pngChunk('tEXt', tiny), oneBit, manyPixels, end])],
  ['a PNG of two headers', Buffer.concat([signature, pngChunk('IHDR', tiny), oneBit, manyPixels, end])],
  ['a PNG whose header comes last', Buffer.concat([signature, manyPixels, oneBit, end])],
  [
    'a PNG whose header is too long',
    Buffer.concat([signature, pngChunk('IHDR', Buffer.concat([tiny, Buffer.alloc(8)])), manyPixels, end]),
  ],
  ['a PNG with a chunk that nobody may skip', inPng(pngChunk('ABCD'))],
  ['a PNG without pixels', Buffer.concat([signature, pngChunk('IHDR', tiny), end])],
  ['a PNG with pixels in two places', Buffer.concat([small.subarray(0, -12), pngChunk('tEXt'), blank(9), end])],
  ['a PNG with a chunk that is longer than the file', withBytes(inPng(pngChunk('tEXt')), 33, '7fffffff')],
  ['a JPEG of two frames, of which the second is larger', inJpeg(startOfFrame, frameOf(1))],
  ['a JPEG whose second frame comes after the pixels', inJpeg(jpeg(16, 16).length - 2, frameOf(20_000))],
  ['a JPEG with bytes between two segments', inJpeg(startOfFrame, hex('00000000'))],
  ['a JPEG whose height comes after its pixels', inJpeg(jpeg(16, 16).length - 2, hex('ffdc 0004 4e20'))],
  ['a JPEG without a height', withBytes(jpeg(16, 16), startOfFrame + 5, '0000')],
  ['a JPEG of 12 bits', withBytes(jpeg(16, 16), startOfFrame + 4, '0c')],
  ['a JPEG without loss', withBytes(jpeg(16, 16), startOfFrame, 'ffc3')],
  ['a JPEG with arithmetic codes', withBytes(jpeg(16, 16), startOfFrame, 'ffc9')],
  ['a JPEG in a hierarchy', inJpeg(startOfFrame, hex('ffde 000b 08 4e20 4e20 01 011100'))],
  ['a JPEG with a segment of no length', inJpeg(2, hex('ffe1 0000'))],
  ['a JPEG with a segment that is longer than the file', inJpeg(2, hex('ffe1 ffff'))],
  ['a WebP that is smaller than it claims', riff(['VP8X', outer(640)], ['VP8 ', lossyOf(16)])],
  ['a WebP of two pictures', riff(['VP8X', outer(16)], ['VP8 ', lossyOf(16)], ['VP8 ', lossyOf(640)])],
  ['a WebP of two kinds', riff(['VP8X', outer(16)], ['VP8L', manyCodes(16).subarray(20)], ['VP8 ', lossyOf(16)])],
  ['a WebP that is an animation', riff(['VP8X', outer(16, 2)], ['ANIM', Buffer.alloc(6)], ['VP8 ', lossyOf(16)])],
  ['a WebP that is no key frame', withBytes(riff(['VP8 ', lossyOf(16)]), 20, '01')],
  ['a WebP whose chunk is longer than the file', withBytes(riff(['VP8 ', lossyOf(16)]), 16, 'ffffff7f')],
]
