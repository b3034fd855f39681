import { measure } from '../load.js'
import type { Part } from '../part.js'

export const captcha: Part = {
  description: 'captcha pictures',
  everySize: false,
  sharesCores: true,
  async run({ url, seconds, watched }) {
    const { outcome, holds } = await watched(() => measure({ url: `${url}/auth/captcha` }, 2 * seconds))
    return [{ name: 'captcha', values: { perSecond: outcome, maxHold: holds.max } }]
  },
}
