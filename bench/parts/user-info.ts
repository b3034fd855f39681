import { ask, password } from '../installed.js'
import { compare, measure } from '../load.js'
import type { Part } from '../part.js'
import { ratios } from '../targets.js'

/** Least ratio of the check of an API token to that of an access token. */
const leastOfApiTokens = 0.9

export const userInfo: Part = {
  description: 'the token check, which every request of a signed-in user costs, and that of an API token',
  everySize: false,
  async run({ url, bareUrl, headers, seconds, watched, database }) {
    const load =
      (address: string, sent = headers) =>
      () =>
        measure({ url: address, headers: sent }, 2 * seconds)
    const [subject, limit] = [load(`${url}/auth/userInfo`), load(`${bareUrl}/userInfo`)]
    // What is measured is a service that has been running for a while.
    await subject()
    await limit()
    const { outcome, holds } = await watched(() => compare(subject, limit))
    const values = { ...outcome, maxHold: holds.max }
    const { token } = await ask<{ token: string }>(`${url}/auth/tokens`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'bench', password }),
    })
    const byToken = load(`${url}/auth/userInfo`, { ...headers, authorization: `Bearer ${token}` })
    await byToken()
    return [
      { name: 'userInfo', values, target: { value: 'ratio', atLeast: ratios[database.engine].userInfo } },
      // To the check of an access token, in turns with it.
      {
        name: 'apiToken',
        values: await compare(byToken, subject),
        target: { value: 'ratio', atLeast: leastOfApiTokens },
      },
    ]
  },
}
