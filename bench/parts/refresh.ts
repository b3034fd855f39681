import type { LoginResult } from '../../schemas/login.js'
import { ask } from '../installed.js'
import type { Part } from '../part.js'

const milliseconds = 1000
const holders = 10

export const refresh: Part = {
  description: 'refreshes of ten sessions at once',
  everySize: false,
  sharesCores: true,
  async run({ url, names, signIn, seconds, watched }) {
    const tokens = await Promise.all(
      names()
        .slice(0, holders)
        .map(async (name) => (await signIn(name)).accessToken),
    )
    let count = 0
    const start = performance.now()
    const { holds } = await watched(() =>
      Promise.all(
        tokens.map(async (first) => {
          const end = start + 2 * seconds * milliseconds
          for (let token = first; performance.now() < end; count++) {
            const headers = { authorization: `Bearer ${token}` }
            token = (await ask<LoginResult>(`${url}/auth/refreshToken`, { method: 'POST', headers })).accessToken
          }
        }),
      ),
    )
    const perSecond = (count * milliseconds) / (performance.now() - start)
    return [{ name: 'refreshToken', values: { perSecond, maxHold: holds.max } }]
  },
}
