import { compare, measure } from '../load.js'
import type { Part } from '../part.js'
import { ratios } from '../targets.js'

export const userInfo: Part = {
  description: 'the token check, which every request of a signed-in user costs',
  everySize: false,
  async run({ url, bareUrl, headers, seconds, watched, database }) {
    const load = (address: string) => () => measure({ url: address, headers }, 2 * seconds)
    const [subject, limit] = [load(`${url}/auth/userInfo`), load(`${bareUrl}/userInfo`)]
    // What is measured is a service that has been running for a while.
    await subject()
    await limit()
    const { outcome, holds } = await watched(() => compare(subject, limit))
    const values = { ...outcome, maxHold: holds.max }
    return [{ name: 'userInfo', values, target: { value: 'ratio', atLeast: ratios[database.engine].userInfo } }]
  },
}
