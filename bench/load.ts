import autocannon from 'autocannon'
import { median } from './part.js'

const connections = 20
/** A measurement ends at the first of these marks after its time. Milliseconds. */
const mark = 50

export interface Load {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Further path and query of each request, asked for anew each time. */
  next?: () => { path?: string; body?: string }
  connections?: number
}

/** Requests per second that `load` reaches in `seconds`. Throws when any answer is not 200. */
export const measure = async (load: Load, seconds: number): Promise<number> => {
  const { url, method = 'GET', headers = {}, next } = load
  const result = await autocannon({
    url,
    method,
    headers,
    connections: load.connections ?? connections,
    duration: seconds,
    sampleInt: mark,
    ...(next ? { requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }] } : {}),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were not 200, ${result.errors} requests failed`)
  }
  return result['2xx'] / result.duration
}

/**
 * Measures `subject` and `limit` in turns, several rounds, and returns the medians: what the machine does beside falls
 * on both.
 */
export const compare = async (subject: () => Promise<number>, limit: () => Promise<number>, rounds = 3) => {
  const figures = { subject: [] as number[], limit: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    figures.limit.push(await limit())
    figures.subject.push(await subject())
  }
  const [perSecond, limitPerSecond] = [median(figures.subject), median(figures.limit)]
  return { perSecond, limitPerSecond, ratio: perSecond / limitPerSecond }
}
