import { randomInt, timingSafeEqual } from 'node:crypto'
import { foldCode } from '../../../lib/fold-code.js'
import type { CaptchaKind } from './kind.js'
import type { Pictures } from './pictures.js'

/**
 * Without characters that look alike, even with a stroke through them: no 0 O Q G, 1 I L J, 2 Z 7, 4, 5 S, 6, 8 B, E, N, R,
 * V.
 */
export const alphabet = 'ACDFHKMPTUWXY39'
const length = 4

export const randomText = () => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** A picture of letters and digits. Answers are not case-sensitive. */
export const createGraphical = (pictures: Pictures): CaptchaKind => ({
  captchaType: 'graphical',

  async create() {
    const { text, image } = await pictures.take()
    return { stored: text, shown: { image: `data:image/png;base64,${image}` }, solve: () => Promise.resolve(text) }
  },

  async matches(stored, submitted) {
    const [left, right] = [Buffer.from(stored), Buffer.from(foldCode(submitted).toUpperCase())]
    return left.length === right.length && timingSafeEqual(left, right)
  },
})
