import { randomInt } from 'node:crypto'
import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'

const size = { width: 132, height: 44 }
const font = { family: 'captcha', pixels: 30 }
const lines = 5
const dots = 60

// Shipped with a dependency: a bare container has no fonts at all.
GlobalFonts.registerFromPath(
  createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  font.family,
)

const between = (low: number, high: number) => randomInt(low * 100, high * 100) / 100
const darkColour = () => `hsl(${randomInt(360)} 70% ${randomInt(25, 40)}%)`
const paleColour = () => `hsl(${randomInt(360)} 60% ${randomInt(55, 75)}%)`
const anywhere = (): [number, number] => [between(0, size.width), between(0, size.height)]

const drawNoise = (context: SKRSContext2D) => {
  for (let index = 0; index < dots; index++) {
    context.fillStyle = paleColour()
    context.fillRect(...anywhere(), 2, 2)
  }
  context.lineWidth = 1.5
  for (let index = 0; index < lines; index++) {
    context.strokeStyle = paleColour()
    context.beginPath()
    context.moveTo(...anywhere())
    context.bezierCurveTo(...anywhere(), ...anywhere(), ...anywhere())
    context.stroke()
  }
}

/** Draws `text` as a PNG with noise; resolves to the bytes. */
export const drawCaptcha = async (text: string): Promise<Buffer> => {
  const canvas = createCanvas(size.width, size.height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f6f7f9'
  context.fillRect(0, 0, size.width, size.height)
  drawNoise(context)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const step = size.width / (text.length + 0.5)
  for (const [index, character] of [...text].entries()) {
    context.save()
    context.font = `${font.pixels + randomInt(-3, 4)}px ${font.family}`
    context.fillStyle = darkColour()
    context.translate(step * (index + 0.75) + between(-3, 3), size.height / 2 + between(-4, 4))
    context.rotate(between(-0.4, 0.4))
    context.fillText(character, 0, 0)
    context.restore()
  }
  return canvas.encode('png')
}
