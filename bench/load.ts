import autocannon from 'autocannon'

const connections = 20

export interface Load {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/** Requests per second that `load` reaches in `seconds`. Throws when any answer is not 200. */
export const measure = async (load: Load, seconds: number): Promise<number> => {
  const { url, method = 'GET', headers = {}, body } = load
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { body }),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were not 200, ${result.errors} requests failed`)
  }
  return result.requests.average
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN

/**
 * Loads `subject` and `limit` in turns, several rounds, and returns the medians: what the machine does beside falls on
 * both.
 */
export const compare = async (subject: Load, limit: Load, seconds: number, rounds = 3) => {
  const figures = { subject: [] as number[], limit: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    figures.limit.push(await measure(limit, seconds))
    figures.subject.push(await measure(subject, seconds))
  }
  const [perSecond, limitPerSecond] = [median(figures.subject), median(figures.limit)]
  return { perSecond, limitPerSecond, ratio: perSecond / limitPerSecond }
}
