import { withoutCore } from './event-loop.js'
import type { TestServer } from '../service/server.js'

const median = (times: number[]): number => times.toSorted((one, other) => one - other)[times.length >> 1] ?? NaN

/** Requests of this process, so that each has another number. */
let sent = 0

interface Sent {
  method?: string
  path: string
  /** JSON of one request after the other. */
  body?: (index: number) => string
}

/**
 * Sends a request on `connections` connections, again and again, until the returned function is called, which tells how often
 * each status was answered.
 */
export const keepSending = (
  { origin }: Pick<TestServer, 'origin'>,
  token: string | undefined,
  { method = 'GET', path, body }: Sent,
  connections: number,
): (() => Promise<Map<number, number>>) => {
  let isEnded = false
  const statuses = new Map<number, number>()
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const send = async () => {
    while (!isEnded) {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers,
        redirect: 'manual',
        body: body?.(sent++) ?? null,
      })
      await answer.arrayBuffer()
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  }
  const sending = Promise.all(Array.from({ length: connections }, send))
  return async () => {
    isEnded = true
    await sending
    return statuses
  }
}

/** Asks for `path` on `connections` connections, again and again, until the returned function is called. */
export const keepAsking = (
  server: Pick<TestServer, 'origin'>,
  token: string,
  path: string,
  connections: number,
): (() => Promise<Map<number, number>>) => keepSending(server, token, { path }, connections)

type Asked = Pick<TestServer, 'origin'>

/**
 * The median of the milliseconds that 25 calls of `GET /auth/userInfo` take, one after the other, without the time in which other
 * processes had the cores.
 */
const medianOfCalls = async ({ origin }: Asked, token: string): Promise<number> => {
  const times: number[] = []
  while (times.length < 25) {
    const [start, lost] = [performance.now(), withoutCore()]
    const answer = await fetch(`${origin}/auth/userInfo`, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`GET /auth/userInfo: ${answer.status}`)
    times.push(performance.now() - start - (withoutCore() - lost))
  }
  return median(times)
}

/** How long somebody waits for an answer: the shortest of three such medians, because other programs share the machine. */
export const waitingTime = async (server: Asked, token: string): Promise<number> => {
  let shortest = Infinity
  for (let run = 0; run < 3; run++) shortest = Math.min(shortest, await medianOfCalls(server, token))
  return shortest
}

/**
 * How long others may wait while somebody attacks, where they wait for `idle` without the attack: 20 ms, or ten times as long on
 * a machine that has other work to do. Milliseconds.
 */
export const longestWait = (idle: number): number => Math.max(20, 10 * idle)
