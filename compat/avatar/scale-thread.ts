import { parentPort, workerData } from 'node:worker_threads'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import { lowerPriority } from '../../lib/lower-priority.js'

export interface ScaleTask {
  content: Uint8Array
  /** Characters of the data URI. */
  maxLength: number
}

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

/** A data URI, or undefined for a file that is no picture. */
const scale = async ({ content, maxLength }: ScaleTask): Promise<string | undefined> => {
  const picture = await loadImage(Buffer.from(content)).catch(() => undefined)
  if (!picture) return undefined
  for (const size of sizes) {
    const uri = `data:image/png;base64,${(await toPng(picture, size)).toString('base64')}`
    if (uri.length <= maxLength) return uri
  }
  return undefined
}

lowerPriority()
parentPort?.postMessage(await scale(workerData as ScaleTask))
