import { createCanvas, loadImage } from '@napi-rs/canvas'

/** Black and white, at half the size of the picture: finer is slower and reads no more. */
interface Bitmap {
  width: number
  height: number
  /** 1 where there is ink. */
  ink: Uint8Array
}

interface Template extends Bitmap {
  character: string
  /** Where in the bitmap there is ink, and how often. */
  points: { x: number; y: number }[]
}

const scale = 0.5
/** Darker than this is ink, of 255: what is pale is noise. */
const darkness = 140
const degrees = Math.PI / 180
/** Where there is less, in parts of that of the character, it does not stand. */
const leastInk = 0.7
const angles = [-24, -16, -8, 0, 8, 16, 24]

const toBitmap = (pixels: Uint8ClampedArray, width: number, height: number): Bitmap => {
  const ink = new Uint8Array(width * height)
  for (let index = 0; index < ink.length; index++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * index, 4 * index + 3)
    ink[index] = 0.299 * red + 0.587 * green + 0.114 * blue < darkness ? 1 : 0
  }
  return { width, height, ink }
}

const readPicture = async (png: Buffer): Promise<Bitmap> => {
  const image = await loadImage(png)
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)]
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0, width, height)
  return toBitmap(context.getImageData(0, 0, width, height).data, width, height)
}

/** A character as a font draws it, cut to its ink. */
const drawTemplate = (character: string, font: string, angle: number): Template => {
  const side = 64
  const context = createCanvas(side, side).getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.fillStyle = '#000'
  context.font = font
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.translate(side / 2, side / 2)
  context.rotate(angle * degrees)
  context.fillText(character, 0, 0)
  const { ink } = toBitmap(context.getImageData(0, 0, side, side).data, side, side)
  const all = Array.from(ink.keys()).filter((index) => ink[index] === 1)
  const xs = all.map((index) => index % side)
  const ys = all.map((index) => Math.floor(index / side))
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const points = all.map((_, index) => ({ x: (xs[index] ?? 0) - left, y: (ys[index] ?? 0) - top }))
  return { character, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1, ink, points }
}

/** Ink above and to the left of each point, so that the ink in a rectangle is four look-ups. */
const sumInk = ({ width, height, ink }: Bitmap): ((x: number, y: number, w: number, h: number) => number) => {
  const row = width + 1
  const sums = new Int32Array(row * (height + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const above = (sums[y * row + x + 1] ?? 0) + (sums[(y + 1) * row + x] ?? 0) - (sums[y * row + x] ?? 0)
      sums[(y + 1) * row + x + 1] = above + (ink[y * width + x] ?? 0)
    }
  }
  const at = (x: number, y: number) => sums[y * row + x] ?? 0
  return (x, y, w, h) => at(x + w, y + h) - at(x, y + h) - at(x + w, y) + at(x, y)
}

/**
 * Reads pictures as a program of forty lines would that knows the fonts: it lays each character of each font, turned a
 * little, over each place of the picture, and takes the characters in a row that fit best together.
 */
export const createTemplateMatcher = (alphabet: string, fonts: string[], length: number) => {
  const templates = [...alphabet].flatMap((character) =>
    fonts.flatMap((font) => angles.map((angle) => drawTemplate(character, font, angle))),
  )

  /** For each column, the character that fits best with its centre there. */
  const scoreColumns = (picture: Bitmap): { character: string; score: number }[] => {
    const { ink } = picture
    const inkIn = sumInk(picture)
    const columns = Array.from({ length: picture.width }, () => ({ character: '', score: -1 }))
    for (const { character, width, height, points } of templates) {
      const [area, all] = [width * height, points.length]
      const offsets = Int32Array.from(points, ({ x, y }) => y * picture.width + x)
      for (let top = 0; top + height <= picture.height; top++) {
        for (let left = 0; left + width <= picture.width; left++) {
          const sum = inkIn(left, top, width, height)
          if (sum < leastInk * all || sum === area) continue
          const start = top * picture.width + left
          let hits = 0
          for (let index = 0; index < all; index++) hits += ink[start + (offsets[index] ?? 0)] ?? 0
          // The correlation of the two rectangles.
          const score = (hits - (all * sum) / area) / Math.sqrt(all * (1 - all / area) * sum * (1 - sum / area))
          const column = columns[left + (width >> 1)]
          if (column && score > column.score) Object.assign(column, { character, score })
        }
      }
    }
    return columns
  }

  return {
    async read(png: Buffer): Promise<string> {
      const columns = scoreColumns(await readPicture(png))
      const gap = Math.floor(columns.length / (length + 3.5))
      // The best rows of so many characters that end at a column or before it.
      let rows = columns.map(() => ({ text: '', score: 0 }))
      for (let count = 0; count < length; count++) {
        let best = { text: '', score: -Infinity }
        rows = columns.map(({ character, score }, x) => {
          const before = count === 0 ? { text: '', score: 0 } : rows[x - gap]
          if (before && before.score + score > best.score) {
            best = { text: before.text + character, score: before.score + score }
          }
          return best
        })
      }
      return rows.at(-1)?.text ?? ''
    },
  }
}
