import { withoutCore } from './event-loop.js'
import type { TestServer } from './server.js'

const median = (times: number[]): number => times.toSorted((one, other) => one - other)[times.length >> 1] ?? NaN

/** Asks for `path` on `connections` connections, again and again, until the returned function is called. */
export const keepAsking = (
  { origin }: TestServer,
  token: string,
  path: string,
  connections: number,
): (() => Promise<void>) => {
  let isEnded = false
  const ask = async () => {
    while (!isEnded) {
      const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })
      await answer.arrayBuffer()
    }
  }
  const asking = Promise.all(Array.from({ length: connections }, ask))
  return async () => {
    isEnded = true
    await asking
  }
}

/**
 * The median of the milliseconds that `count` calls of `GET /auth/userInfo` take, one after the other, without the time in which other
 * processes had the cores.
 */
export const waitingTime = async ({ origin }: TestServer, token: string, count: number): Promise<number> => {
  const times: number[] = []
  while (times.length < count) {
    const [start, lost] = [performance.now(), withoutCore()]
    const answer = await fetch(`${origin}/auth/userInfo`, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`GET /auth/userInfo: ${answer.status}`)
    times.push(performance.now() - start - (withoutCore() - lost))
  }
  return median(times)
}
