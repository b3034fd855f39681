import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { drawCaptcha, fonts as families } from '../plugins/identity/captcha/picture.js'
import { alphabet, randomText } from '../plugins/identity/captcha/graphical.js'
import { createTemplateMatcher } from './template-matcher.js'

// How many captcha pictures machines read: tesseract, when it is installed, and a matcher of templates that knows the fonts.
//
//     npm run bench:captchas                  400 pictures
//     npm run bench:captchas -- 20 sheet.png  20 of them, which a person can look at in sheet.png; prints the answers

const [count = '400', sheet] = process.argv.slice(2)
const fonts = families.flatMap((family) => [19, 22].map((size) => `${size}px "${family}"`))

interface Picture {
  text: string
  png: Buffer
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const drawAll = async (): Promise<Picture[]> => {
  const pictures: Picture[] = []
  for (let index = 0; index < Number(count); index++) {
    const text = randomText()
    pictures.push({ text, png: drawCaptcha(text) })
  }
  return pictures
}

/** As somebody would prepare a picture for tesseract: three times as large, black and white. */
const prepare = async (png: Buffer): Promise<Buffer> => {
  const [times, border, darkness] = [3, 30, 140]
  const image = await loadImage(png)
  const [width, height] = [times * image.width + 2 * border, times * image.height + 2 * border]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(image, border, border, times * image.width, times * image.height)
  const pixels = context.getImageData(0, 0, width, height)
  const { data } = pixels
  for (let index = 0; index < data.length; index += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(index, index + 3)
    data.fill(0.299 * red + 0.587 * green + 0.114 * blue < darkness ? 0 : 255, index, index + 3)
  }
  context.putImageData(pixels, 0, 0)
  return canvas.encode('png')
}

/** What tesseract makes of each picture, read as one line (7) or one word (8); undefined when it is not installed. */
const readByTesseract = async (pictures: Picture[], segmentation: number): Promise<string[] | undefined> => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-captchas-'))
  try {
    const files = await Promise.all(
      pictures.map(async ({ png }, index) => {
        const file = join(directory, `${index}.png`)
        writeFileSync(file, await prepare(png))
        return file
      }),
    )
    const list = join(directory, 'list.txt')
    writeFileSync(list, files.join('\n'))
    const options = ['--psm', String(segmentation), '-c', `tessedit_char_whitelist=${alphabet}`]
    const { stdout } = await promisify(execFile)('tesseract', [list, 'stdout', ...options], { maxBuffer: 1e8 })
    return stdout.split('\f').map((text) => text.replace(/\s/g, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const share = (pictures: Picture[], read: string[]): string => {
  const right = pictures.filter(({ text }, index) => read[index] === text).length
  return `${right} of ${pictures.length} (${((100 * right) / pictures.length).toFixed(1)} %)`
}

const drawSheet = async (pictures: Picture[], file: string) => {
  const images = await Promise.all(pictures.map(({ png }) => loadImage(png)))
  const [columns, margin] = [4, 10]
  const [width, height] = [(images[0]?.width ?? 0) + margin, (images[0]?.height ?? 0) + margin]
  const canvas = createCanvas(columns * width, Math.ceil(images.length / columns) * height)
  const context = canvas.getContext('2d')
  for (const [index, image] of images.entries()) {
    context.drawImage(image, (index % columns) * width, Math.floor(index / columns) * height)
  }
  writeFileSync(file, await canvas.encode('png'))
}

const pictures = await drawAll()
if (sheet !== undefined) {
  await drawSheet(pictures, sheet)
  writeFileSync(`${sheet}.txt`, pictures.map(({ text }) => text).join(' '))
}
for (const segmentation of [7, 8]) {
  const read = await readByTesseract(pictures, segmentation)
  if (read) say(`tesseract --psm ${segmentation}: ${share(pictures, read)}`)
  else say('tesseract is not installed and reads nothing (Debian: apt-get install tesseract-ocr)')
}
const matcher = createTemplateMatcher(alphabet, fonts, 4)
const matched: string[] = []
for (const { png } of pictures) matched.push(await matcher.read(png))
say(`templates: ${share(pictures, matched)}`)
