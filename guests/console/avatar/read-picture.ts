import { readJpeg } from './jpeg.js'
import type { ReadPicture } from './picture.js'
import { readPng } from './png.js'
import { readWebp } from './webp.js'

const formats: { isOf: (file: Buffer) => boolean; read: ReadPicture }[] = [
  { isOf: (file) => file.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')), read: readPng },
  { isOf: (file) => file.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')), read: readJpeg },
  {
    isOf: (file) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
    read: readWebp,
  },
]

/** Reads a PNG, JPEG or WebP file, other formats not. It may take some 100 ms: in a thread. */
export const readPicture: ReadPicture = (file) => formats.find(({ isOf }) => isOf(file))?.read(file)
