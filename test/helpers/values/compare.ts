import type { Answer } from '../service/server.js'

/** How often each outcome occurs: the reason of a refusal, or the status of a success. */
export const tally = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = status === 200 ? '200' : String(body.data?.reason)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** Headers that differ between any two answers. */
const momentary = ['date', 'x-request-id', 'x-ratelimit-reset', 'x-ratelimit-remaining']

/** All of an answer that a stranger could tell apart, without what differs between any two: the moment. */
export const fingerprint = ({ status, headers, text }: Answer) => ({
  status,
  text: text.replace(/"timestamp":\d+/, '"timestamp":0'),
  headers: [...headers].filter(([name]) => !momentary.includes(name)),
})

/** So many equal requests at the same moment. */
export const parallel = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))
