import { compare, measure } from '../load.js'
import type { Part } from '../part.js'

export const userInfo: Part = {
  description: 'the token check, which every request of a signed-in user costs',
  everySize: false,
  async run({ url, bareUrl, headers, seconds, watched }) {
    const { outcome, holds } = await watched(() =>
      compare(
        () => measure({ url: `${url}/auth/userInfo`, headers }, 2 * seconds),
        () => measure({ url: `${bareUrl}/userInfo`, headers }, 2 * seconds),
      ),
    )
    const values = { ...outcome, longestHold: holds.longest }
    return [{ name: 'userInfo', values, target: { value: 'ratio', atLeast: 0.5 } }]
  },
}
