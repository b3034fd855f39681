import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
// Made by `npm run captcha-fonts`: a bare container has no fonts.
import embedded from './fonts.json' with { type: 'json' }

const size = { width: 180, height: 60 }
const paper = '#f6f7f9'

// Used for every picture: the garbage collector does not see the memory of canvases, and would let hundreds pile up.
const [ink, picture] = [createCanvas(size.width, size.height), createCanvas(size.width, size.height)]

/** Font families of the letters. */
export const fonts = Object.entries(embedded.fonts).map(([name, content]) => {
  const family = `captcha ${name}`
  GlobalFonts.register(Buffer.from(content, 'base64'), family)
  return family
})

// Math.random is enough: only the text is secret, not its shapes.
const between = (low: number, high: number) => low + Math.random() * (high - low)
const oneOf = <T>(values: T[]): T => values[Math.floor(Math.random() * values.length)] as T

/** Draws letters that touch each other, each with a random font, size, angle and slant. */
const drawLetters = (context: SKRSContext2D, text: string) => {
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineWidth = 1.2
  const letters = [...text].map((character) => {
    const font = `${between(40, 52)}px "${oneOf(fonts)}"`
    context.font = font
    return { character, font, width: context.measureText(character).width }
  })
  // Pixels by which neighbours overlap.
  const overlap = between(3, 4.5)
  const total = letters.reduce((sum, { width }) => sum + width - overlap, overlap)
  const squeeze = Math.min(1.15, (size.width - 24) / total)
  let x = (size.width - total * squeeze) / 2
  for (const { character, font, width } of letters) {
    context.save()
    context.font = font
    context.translate(x + (width / 2) * squeeze, size.height / 2 + between(-3, 3))
    context.rotate(between(-0.35, 0.35))
    context.transform(squeeze * between(0.9, 1.15), 0, between(-0.2, 0.2), between(0.9, 1.05), 0, 0)
    context.fillText(character, 0, 0)
    context.strokeText(character, 0, 0)
    context.restore()
    x += (width - overlap) * squeeze
  }
}

const drawStroke = (context: SKRSContext2D) => {
  const { width, height } = size
  context.beginPath()
  context.moveTo(between(0, 25), between(12, height - 12))
  context.bezierCurveTo(
    between(width * 0.2, width * 0.45),
    between(0, height),
    between(width * 0.55, width * 0.8),
    between(0, height),
    between(width - 25, width),
    between(12, height - 12),
  )
  context.stroke()
}

/** Draws the text and two strokes, before they are warped and coloured. */
const drawInk = (text: string): void => {
  const context = ink.getContext('2d')
  context.reset()
  drawLetters(context, text)
  context.lineCap = 'round'
  for (let index = 0; index < 2; index++) {
    context.lineWidth = between(1.3, 2)
    drawStroke(context)
  }
}

/** A random sine wave: the offset for each coordinate, pixels. */
const createWave = (maxAmplitude: number, minLength: number, maxLength: number) => {
  const [length, phase, amplitude] = [
    between(minLength, maxLength),
    between(0, 2 * Math.PI),
    between(0.6, 1) * maxAmplitude,
  ]
  return (at: number) => amplitude * Math.sin((2 * Math.PI * at) / length + phase)
}

/** Draws the ink in `colour` on `target` and shifts each point by waves along both axes. */
const drawWarped = (target: SKRSContext2D, colour: Record<'red' | 'green' | 'blue', number>) => {
  const { width, height } = size
  const from = ink.getContext('2d').getImageData(0, 0, width, height).data
  const image = target.getImageData(0, 0, width, height)
  const { data } = image
  const [down, across] = [createWave(3, 45, 80), createWave(2.6, 28, 50)]
  const columns = Array.from({ length: width }, (_, x) => down(x))
  const inkAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (from[4 * (y * width + x) + 3] ?? 0) / 255
  const blend = (at: number, value: number, opacity: number) => {
    data[at] = (data[at] ?? 0) * (1 - opacity) + value * opacity
  }
  for (let y = 0; y < height; y++) {
    const shift = across(y)
    for (let x = 0; x < width; x++) {
      const u = x + shift
      const v = y + (columns[x] ?? 0)
      const left = Math.floor(u)
      const top = Math.floor(v)
      const right = u - left
      const opacity =
        (inkAt(left, top) * (1 - right) + inkAt(left + 1, top) * right) * (1 - v + top) +
        (inkAt(left, top + 1) * (1 - right) + inkAt(left + 1, top + 1) * right) * (v - top)
      if (opacity === 0) continue
      const at = 4 * (y * width + x)
      blend(at, colour.red, opacity)
      blend(at + 1, colour.green, opacity)
      blend(at + 2, colour.blue, opacity)
    }
  }
  target.putImageData(image, 0, 0)
}

/** A random dark colour. */
const darkColour = () => {
  const hue = between(0, 2 * Math.PI)
  const part = (shift: number) => 60 + 50 * Math.cos(hue + shift * 2 * Math.PI)
  return { red: part(0), green: part(1 / 3), blue: part(2 / 3) }
}

/** Draws `text` as a PNG that is hard to read for machines. */
export const drawCaptcha = (text: string): Buffer => {
  const context = picture.getContext('2d')
  context.fillStyle = paper
  context.fillRect(0, 0, size.width, size.height)
  drawInk(text)
  drawWarped(context, darkColour())
  return picture.toBuffer('image/png')
}
