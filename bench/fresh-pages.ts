import type { Installed } from './installed.js'

const rows = 10
/** First, middle and last pages are drawn from so many: with many users, from more than are asked for. */
const zone = 20_000
/** Moments of the generated years, one of which makes any query new. Epoch milliseconds. */
const years = { from: Date.UTC(2018, 0), length: 365 * 86_400_000 }

const below = (limit: number) => Math.floor(Math.random() * limit)

/** A page number at the beginning, in the middle or at the end of `pages`. */
const drawPage = (pages: number): number => {
  const width = Math.max(1, Math.min(zone, Math.floor(pages / 3)))
  const starts = [1, Math.floor((pages - width) / 2) + 1, pages - width + 1]
  return Math.max(1, (starts[below(3)] ?? 1) + below(width))
}

/** Makes queries of the list, under some filters, of which none comes twice. */
export const createFreshPages = async ({ page }: Pick<Installed, 'page'>, filters: string[]) => {
  const pages = new Map<string, number>()
  for (const filter of filters) pages.set(filter, (await page(filter)).pages)
  const used = new Set<string>()
  return (): string => {
    const filter = filters[below(filters.length)] ?? ''
    const query = `${filter}&pageNum=${drawPage(pages.get(filter) ?? 1)}&pageSize=${rows}`
    // Few users have few pages: a moment before nearly all of them makes another query of the same work.
    const fresh = used.has(query)
      ? `${query}&createTimeFrom=${new Date(years.from + below(years.length)).toISOString()}`
      : query
    used.add(fresh)
    return encodeURI(fresh)
  }
}
