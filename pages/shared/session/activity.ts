import { client } from './client.js'

/** Milliseconds. A session that is not used ends after its idle time, and typing is a use. */
const interval = 5 * 60_000

/** Tells the server that the person is at work, when no request has done so for a while. */
export const keepAwake = (): void => {
  let last = Date.now()
  const touch = () => {
    if (Date.now() - last < interval) return
    last = Date.now()
    // A session that has ended is asked for by the next request of the person.
    client.call('GET /auth/userInfo').catch(() => undefined)
  }
  addEventListener('keydown', touch)
  addEventListener('pointerdown', touch)
}
