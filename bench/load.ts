import autocannon from 'autocannon'
import { hasOwnCore } from './cores.js'
import { median } from './part.js'

const defaultConnections = 20
/** Interval at which the load generator checks whether the time is over. Milliseconds. */
const mark = 50
/** The load runs for this long before the measurement. Seconds. */
const defaultLead = 0.1
const milliseconds = 1000

export interface Load {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Called for each request; returns its path and query. */
  next?: () => { path?: string }
  /** Called for each connection; returns the bodies that it sends in turns. They are made in advance, which costs less. */
  bodies?: () => string[]
  connections?: number
  /** Of each answer; 200 if absent. */
  status?: number
  /** Seconds until responses come as fast as requests are sent. */
  lead?: number
}

/**
 * Keeps this process from sleeping until the returned function is called, where it has a core of its own. On a virtual
 * machine the server that sends to a sleeping process has to wake that core, which takes up to a fifth of an uncached page;
 * clients on other machines cost a server nothing like that. Beside a database this process sleeps: otherwise it would take half
 * of the core from the database.
 */
const stayAwake = (): (() => void) => {
  let isAwake = hasOwnCore()
  const poll = () => isAwake && setImmediate(poll)
  poll()
  return () => {
    isAwake = false
  }
}

/** Sends requests until the time or the number of them is over. Throws if the status of a response is not 200. */
const send = async (
  { url, method = 'GET', headers = {}, connections = defaultConnections, status = 200 }: Load,
  options: Omit<autocannon.Options, 'url'>,
): Promise<void> => {
  const sleep = stayAwake()
  // Only has `then`.
  const result = await Promise.resolve(autocannon({ url, method, headers, connections, ...options })).finally(sleep)
  const others = Object.keys(result.statusCodeStats ?? {}).filter((one) => one !== String(status))
  if (others.length > 0 || result.errors > 0) {
    throw new Error(`${url}: answers were ${others.join(', ')} and not ${status}, ${result.errors} requests failed`)
  }
}

/** Requests per second under `load`, measured for `seconds`. Throws if the status of a response is another one. */
export const measure = async (load: Load, seconds: number): Promise<number> => {
  const { method = 'GET', headers = {}, next, bodies, lead = defaultLead } = load
  const from = performance.now() + lead * milliseconds
  const until = from + seconds * milliseconds
  let answers = 0
  await send(load, {
    duration: lead + seconds + mark / milliseconds,
    sampleInt: mark,
    ...(next ? { requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }] } : {}),
    setupClient(client) {
      if (bodies) client.setRequests(bodies().map((body) => ({ method, headers, body })))
      client.on('response', () => {
        const now = performance.now()
        if (now >= from && now < until) answers++
      })
    },
  })
  return answers / seconds
}

/** Requests per second until each of `bodies` was sent once, as those must that are good for one time only. */
export const measureEach = async (load: Omit<Load, 'bodies' | 'next'>, bodies: string[]): Promise<number> => {
  const { method = 'GET', headers = {}, connections = defaultConnections } = load
  const share = Math.floor(bodies.length / connections)
  const times: number[] = []
  let first = 0
  await send(load, {
    amount: share * connections,
    setupClient(client) {
      client.setRequests(bodies.slice(first, (first += share)).map((body) => ({ method, headers, body })))
      client.on('response', () => times.push(performance.now()))
    },
  })
  const [start = NaN, end = NaN] = [times[0], times.at(-1)]
  return ((times.length - 1) * milliseconds) / (end - start)
}

export type Measurement = () => Promise<number>

/**
 * Measures each of `subjects` and `limit` in turns for several rounds, and returns the medians of each. Each subject is
 * compared with `limit` just before and after it, so that other work of the machine affects both. All of them must be warm.
 */
export const compareEach = async (subjects: Measurement[], limit: Measurement, rounds: number) => {
  const figures = subjects.map((): { subject: number; limit: number }[] => [])
  let before = await limit()
  for (let round = 0; round < rounds; round++) {
    for (const [index, measureSubject] of subjects.entries()) {
      const subject = await measureSubject()
      const after = await limit()
      figures[index]?.push({ subject, limit: (before + after) / 2 })
      before = after
    }
  }
  return figures.map((some) => ({
    perSecond: median(some.map((figure) => figure.subject)),
    limitPerSecond: median(some.map((figure) => figure.limit)),
    ratio: median(some.map((figure) => figure.subject / figure.limit)),
  }))
}

/** Many: each measurement lasts half a second, in which a shared machine may be slow. */
const roundsOfOne = 9

/** The same for one subject. */
export const compare = async (subject: Measurement, limit: Measurement) => {
  const [outcome] = await compareEach([subject], limit, roundsOfOne)
  if (!outcome) throw new Error('Nothing was measured')
  return outcome
}
