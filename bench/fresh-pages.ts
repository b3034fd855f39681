import type { Installed } from './installed.js'

const rows = 10
/** Pages of about ten have up to so many rows more or fewer. */
const spread = 4
const maxTries = 10
/** Moments of the generated years, one of which makes any query new. Epoch milliseconds. */
const years = { from: Date.UTC(2018, 0), length: 365 * 86_400_000 }

const below = (limit: number) => Math.floor(Math.random() * limit)

/** A page anywhere in the list, counted from its beginning or, unless the filter has an order, from its end. */
const drawPage = (filter: string, pages: number): string => {
  const oldestFirst = below(2) === 0 && !filter.includes('orderByColumn') ? '&orderByColumn=createTime&isAsc=asc' : ''
  return `${filter}&pageNum=${1 + below(pages)}${oldestFirst}`
}

/**
 * Few users have few pages of ten. Other queries of the same work: on SQLite with a moment before nearly all of them; on
 * PostgreSQL, where that would be another list, pages of about ten.
 */
const vary = {
  sqlite: (filter: string, pages: number) =>
    `${drawPage(filter, pages)}&pageSize=${rows}&createTimeFrom=${new Date(years.from + below(years.length)).toISOString()}`,
  postgres: (filter: string, pages: number) => {
    const size = rows - spread + below(2 * spread + 1)
    return `${drawPage(filter, Math.max(1, Math.floor((pages * rows) / size)))}&pageSize=${size}`
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
    let query = `${drawPage(filter, count)}&pageSize=${rows}`
    for (let tries = 0; used.has(query) && tries < maxTries; tries++)
      query = `${drawPage(filter, count)}&pageSize=${rows}`
    for (let tries = 0; used.has(query) && tries < maxTries; tries++) query = vary[database.engine](filter, count)
    used.add(query)
    return encodeURI(query)
  }
}
