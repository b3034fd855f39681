import { setInterval } from 'node:timers/promises'
import { createFreshPages } from '../fresh-pages.js'
import { ask, json } from '../installed.js'
import { changing } from '../list-queries.js'
import { compare, measure } from '../load.js'
import type { Bench, Figure, Part } from '../part.js'
import { ratios } from '../targets.js'

/** Users that an administrator or an import changes in a second. */
const changesPerSecond = 50
const pagesOfUsers = 5
/** Measurements before the first that counts: until Node.js has optimized the code of a change, it costs several times as much. */
const warmUps = 20

/** What is shown only, what searches find, and what filters let through. */
const changesInOrder = [
  (number: number) => ({ remark: `change ${number}` }),
  (number: number) => ({ realName: `Wang ${number}` }),
  (number: number) => ({ userType: 1 + (Math.floor(number / 3) % 2) }),
]

/** Changes users at that rate until `signal` is aborted. Resolves to the number of changes; throws if one fails. */
const change = async ({ url, headers }: Bench, ids: number[], signal: AbortSignal): Promise<number> => {
  const changes: Promise<unknown>[] = []
  try {
    for await (const round of setInterval(1000 / changesPerSecond, changes, { signal })) {
      const id = ids[round.length % ids.length] ?? 0
      const body = JSON.stringify(changesInOrder[round.length % changesInOrder.length]?.(round.length))
      changes.push(ask(`${url}/system/user/${id}`, { method: 'PATCH', headers: { ...headers, ...json }, body }))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  await Promise.all(changes)
  return changes.length
}

const first = 'never the same page, no filter'

const run = async (bench: Bench): Promise<Figure[]> => {
  const { url, bareUrl, headers, seconds, page, watched } = bench
  const ids: number[] = []
  for (let pageNum = 1; pageNum <= pagesOfUsers; pageNum++)
    ids.push(...(await page(`userType=2&pageSize=100&pageNum=${pageNum}`)).records.map(({ id }) => id))
  const figures: Figure[] = []
  for (const [name, filters] of [
    [first, ['']],
    ['never the same page, both', ['', ...changing]],
  ] as const) {
    const freshPage = await createFreshPages(bench, [...filters])
    const load = (path: string) =>
      measure({ url: path, headers, next: () => ({ path: `${new URL(path).pathname}?${freshPage()}` }) }, seconds)
    let changes = 0
    let time = 0
    const whileChanging = async () => {
      const stop = new AbortController()
      const start = performance.now()
      const changed = change(bench, ids, stop.signal)
      const perSecond = await load(`${url}/system/user/page`)
      stop.abort()
      changes += await changed
      time += (performance.now() - start) / 1000
      return perSecond
    }
    for (let times = 0; times < (name === first ? warmUps : 1); times++) await whileChanging()
    changes = 0
    time = 0
    const { outcome, holds } = await watched(() => compare(whileChanging, () => load(`${bareUrl}/page`)))
    figures.push({
      name,
      values: { ...outcome, changesPerSecond: changes / time, maxHold: holds.max },
      ...(bench.isLargest ? { target: { value: 'ratio', atLeast: ratios[bench.database.engine].changes } } : {}),
    })
  }
  return figures
}

export const changes: Part = {
  description: 'pages of ten users while 50 users a second are changed',
  everySize: true,
  run,
}
