import { randomInt, timingSafeEqual } from 'node:crypto'
import type { CaptchaKind } from './kind.js'
import { drawCaptcha } from './picture.js'

/** Without look-alikes: no 0 O, 1 I L, 2 Z, 5 S, 8 B. */
const alphabet = 'ACDEFGHJKMNPQRTUVWXY34679'
const length = 4

const randomText = () => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** A picture of letters and digits, in any case. */
export const graphical: CaptchaKind = {
  captchaType: 'graphical',

  async create() {
    const kept = randomText()
    const image = `data:image/png;base64,${(await drawCaptcha(kept)).toString('base64')}`
    return { kept, shown: { image }, solve: () => Promise.resolve(kept) }
  },

  async matches(kept, submitted) {
    const [left, right] = [Buffer.from(kept), Buffer.from(submitted.trim().toUpperCase())]
    return left.length === right.length && timingSafeEqual(left, right)
  },
}
