import { measure } from '../load.js'
import type { Bench, Figure, Part } from '../part.js'

/** Pages of a hundred users whose names searches are taken from. */
const sampledPages = 60
const sampledRows = 100
const lengths = { least: 2, most: 5 }
/** Single searches that are timed. */
const timed = 60
/** What a search may find, and the milliseconds in which it is answered. */
const answerTimes = [
  { found: 1000, atMost: 50 },
  { found: 70_000, atMost: 150 },
]

const below = (limit: number) => Math.floor(Math.random() * limit)

/** Names from random pages: user names are Latin, real names Latin and Chinese. */
const sampleNames = async ({ page }: Bench): Promise<string[]> => {
  const { pages } = await page(`pageSize=${sampledRows}`)
  const names: string[] = []
  for (let count = 0; count < sampledPages; count++) {
    const { records } = await page(`pageSize=${sampledRows}&pageNum=${1 + below(pages)}`)
    names.push(...records.flatMap(({ username, realName }) => [username, realName]))
  }
  return names
}

/** The names of few users have few parts: after so many draws a part comes again. */
const mostDraws = 1000

/** Draws parts of 2 to 5 characters from random places in names, none of them twice if possible. */
const createSearches = (names: string[], parameter: string) => {
  const used = new Set<string>()
  return (): string => {
    for (let draws = 1; ; draws++) {
      const characters = [...(names[below(names.length)] ?? '')]
      const length = lengths.least + below(lengths.most - lengths.least + 1)
      const keyword = characters
        .slice(below(Math.max(1, characters.length - length + 1)))
        .slice(0, length)
        .join('')
      if (draws < mostDraws && (keyword.trim().length < lengths.least || used.has(keyword))) continue
      used.add(keyword)
      return `${parameter}=${encodeURIComponent(keyword)}`
    }
  }
}

/** The 95th percentile of the times of single searches, by how many users they find. */
const timeSearches = async ({ page, database }: Bench, next: () => string): Promise<Figure[]> => {
  const times = answerTimes.map((): number[] => [])
  for (let tries = 0; tries < 20 * timed && times.some((some) => some.length < timed); tries++) {
    const start = performance.now()
    const { total } = await page(next())
    times[answerTimes.findIndex(({ found }) => total <= found)]?.push(performance.now() - start)
  }
  return answerTimes.map(({ found, atMost }, index) => {
    const sorted = (times[index] ?? []).toSorted((one, other) => one - other)
    return {
      name: `a new search that finds up to ${found.toLocaleString('en')}`,
      values: {
        searches: sorted.length,
        p95: sorted[Math.floor(0.95 * sorted.length)] ?? NaN,
        longest: sorted.at(-1) ?? NaN,
      },
      ...(database.engine === 'sqlite' ? { target: { value: 'p95', atMost } } : {}),
    }
  })
}

const medium = 100_000
/** In lengths of a measurement. V8 optimizes code after many calls, and searches are few a second. */
const warmUp = 50
const measured = 10

export const searches: Part = {
  description: 'searches for parts of names that have not been searched for before',
  everySize: true,
  async run(bench) {
    const { url, headers, seconds, users, watched, database } = bench
    const names = await sampleNames(bench)
    const next = createSearches(names, 'keyword')
    const search = (create: () => string, length: number) =>
      measure(
        { url: `${url}/system/user/page`, headers, next: () => ({ path: `/system/user/page?${create()}` }) },
        length,
      )
    // What is measured is a service that has been running for a while. Other parameters search for other lists.
    await search(createSearches(names, 'realName'), warmUp * seconds)
    const { outcome: perSecond, holds } = await watched(() => search(next, measured * seconds))
    const figure: Figure = { name: 'new searches', values: { perSecond, maxHold: holds.max } }
    if (users === medium && database.engine === 'sqlite') figure.target = { value: 'perSecond', atLeast: 600 }
    return [figure, ...(users > medium ? await timeSearches(bench, next) : [])]
  },
}
