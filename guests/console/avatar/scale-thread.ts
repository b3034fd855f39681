import { parentPort, workerData } from 'node:worker_threads'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import { lowerPriority } from '../../../lib/lower-priority.js'
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
const readPicture: ReadPicture = (file) => formats.find(({ isOf }) => isOf(file))?.read(file)

export interface ScaleTask {
  content: Uint8Array
  /** Characters of the data URI. */
  maxLength: number
}

/** A data URI, or which rule the file breaks; `limit` in pixels. */
export type Scaled = { uri: string } | { rule: 'noPicture' } | { rule: 'largePicture'; limit: number }

/** Pixels of the longer side: the first size that is short enough is taken. */
const sizes = [256, 192, 128, 96, 64, 32]

const toPng = async (picture: Image, size: number): Promise<Buffer> => {
  const { width, height } = picture
  const scale = Math.min(1, size / Math.max(width, height))
  const scaled = [width, height].map((side) => Math.max(1, Math.round(side * scale)))
  const [toWidth = 1, toHeight = 1] = scaled
  const canvas = createCanvas(toWidth, toHeight)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, toWidth, toHeight)
  return canvas.encode('png')
}

const scale = async ({ content, maxLength }: ScaleTask): Promise<Scaled> => {
  const picture = readPicture(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  if (!picture) return { rule: 'noPicture' }
  const { width, height, maxSide, file } = picture
  if (width * height > maxSide ** 2) return { rule: 'largePicture', limit: maxSide }
  if (width * height === 0) return { rule: 'noPicture' }
  const image = await loadImage(file).catch(() => undefined)
  // A picture that lies on its side is turned.
  const sides = [image?.width, image?.height]
  if (!image || !sides.includes(width) || !sides.includes(height)) return { rule: 'noPicture' }
  for (const size of sizes) {
    const uri = `data:image/png;base64,${(await toPng(image, size)).toString('base64')}`
    if (uri.length <= maxLength) return { uri }
  }
  return { rule: 'noPicture' }
}

lowerPriority()
parentPort?.postMessage(await scale(workerData as ScaleTask))
