import type { Installed } from './installed.js'

const rows = 10
/** Pages of about ten have up to so many rows more or fewer. */
const spread = 4
const maxTries = 10
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

/**
 * Few users have few pages of ten. Other queries of the same work: on SQLite with a moment before nearly all of them; on
 * PostgreSQL, where that would be another list, pages of about ten.
 */
const vary = {
  sqlite: (filter: string, pages: number) =>
    `${filter}&pageNum=${drawPage(pages)}&pageSize=${rows}&createTimeFrom=${new Date(years.from + below(years.length)).toISOString()}`,
  postgres: (filter: string, pages: number) => {
    const size = rows - spread + below(2 * spread + 1)
    return `${filter}&pageNum=${drawPage(Math.floor((pages * rows) / size))}&pageSize=${size}`
  },
}

/** Makes queries of the list, under some filters, of which none comes twice if possible. */
export const createFreshPages = async ({ page, database }: Pick<Installed, 'page' | 'database'>, filters: string[]) => {
  const pages = new Map<string, number>()
  for (const filter of filters) pages.set(filter, (await page(filter)).pages)
  const used = new Set<string>()
  return (): string => {
    const filter = filters[below(filters.length)] ?? ''
    const count = pages.get(filter) ?? 1
    let query = `${filter}&pageNum=${drawPage(count)}&pageSize=${rows}`
    for (let tries = 0; used.has(query) && tries < maxTries; tries++) query = vary[database.engine](filter, count)
    used.add(query)
    return encodeURI(query)
  }
}
