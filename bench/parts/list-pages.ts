import { createFreshPages } from '../fresh-pages.js'
import { changing } from '../list-queries.js'
import { compare, measure } from '../load.js'
import type { Bench, Figure, Part } from '../part.js'
import { ratios } from '../targets.js'

const bareLists = { page: '/page', longPage: '/longPage' }
const allFilters = ['', ...changing]

/** What is asked for: one page again and again, or with `filters` another one each time. */
const cases = (
  pages: number,
): {
  name: string
  query?: string
  filters?: string[]
  bare?: keyof typeof bareLists
  target?: 'samePage' | 'otherPage'
}[] => [
  { name: 'first page, again and again', query: 'pageNum=1', target: 'samePage' },
  { name: 'middle page, again and again', query: `pageNum=${Math.ceil(pages / 2)}`, target: 'samePage' },
  { name: 'last page, again and again', query: `pageNum=${pages}`, target: 'samePage' },
  { name: '100 rows, again and again', query: 'pageSize=100', bare: 'longPage' },
  { name: 'never the same page, no filter', filters: [''], target: 'otherPage' },
  { name: 'never the same page, filtered', filters: changing, target: 'otherPage' },
  { name: 'never the same page, both', filters: allFilters, target: 'otherPage' },
]

const run = async (bench: Bench): Promise<Figure[]> => {
  const { url, bareUrl, headers, seconds, page, watched } = bench
  const list = `${url}/system/user/page`
  const measureSame = (address: string, query: string) => measure({ url: `${address}?${query}`, headers }, seconds)
  const measureFresh = (address: string, freshPage: () => string) =>
    measure({ url: address, headers, next: () => ({ path: `${new URL(address).pathname}?${freshPage()}` }) }, seconds)

  // What is measured is a service that has been running for a while.
  const anyPage = await createFreshPages(bench, allFilters)
  await measureFresh(list, anyPage)
  await measureFresh(bareUrl + bareLists.page, anyPage)
  const figures: Figure[] = []

  for (const { name, query = '', filters, bare = 'page', target } of cases((await page('')).pages)) {
    // The limit is asked in the same way, so that making the questions costs the same.
    const freshPage = filters && (await createFreshPages(bench, filters))
    if (!filters) await page(query)
    const load = (address: string) => () => (freshPage ? measureFresh(address, freshPage) : measureSame(address, query))
    const { outcome, holds } = await watched(() => compare(load(list), load(bareUrl + bareLists[bare])))
    figures.push({
      name,
      values: { ...outcome, maxHold: holds.max },
      ...(target === undefined || !bench.isLargest
        ? {}
        : { target: { value: 'ratio', atLeast: ratios[bench.database.engine][target] } }),
    })
  }
  return figures
}

export const listPages: Part = {
  description: 'pages of ten users beside a ready-made page',
  everySize: true,
  run,
}
