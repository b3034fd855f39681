import type { Installed } from './installed.js'

const rows = 10
/** Pages of about ten have up to so many rows more or fewer. */
const spread = 4

const below = (limit: number) => Math.floor(Math.random() * limit)

const oldestFirst = '&orderByColumn=createTime&isAsc=asc'
/** The list in both directions, unless the filter has an order. */
const ordersOf = (filter: string): string[] => (filter.includes('orderByColumn') ? [''] : ['', oldestFirst])

/** A page of about ten users anywhere in the list, which may have been drawn before. */
const drawPage = (filter: string, pages: number): string => {
  const orders = ordersOf(filter)
  const size = rows - spread + below(2 * spread + 1)
  const number = 1 + below(Math.max(1, Math.floor((pages * rows) / size)))
  return `${filter}&pageNum=${number}${orders[below(orders.length)] ?? ''}&pageSize=${size}`
}

const gcd = (one: number, other: number): number => (other === 0 ? one : gcd(other, one % other))

/**
 * Draws each page of the list once, far from the one before; then returns undefined. Steps of a fixed length need no memory. When the
 * load remembered which pages it had asked for, a page cost the server a fifth more after 250,000 of them: 106 microseconds instead of
 * 86, and 88 again as soon as the load had forgotten them.
 */
const createDraw = (filter: string, pages: number) => {
  const orders = ordersOf(filter)
  const count = orders.length * pages
  let step = Math.max(1, Math.round(count * 0.618))
  while (gcd(step, count) > 1) step++
  let place = below(count)
  let left = count
  return (): string | undefined => {
    if (left-- <= 0) return undefined
    place = (place + step) % count
    return `${filter}&pageNum=${1 + (place % pages)}${orders[Math.floor(place / pages)] ?? ''}&pageSize=${rows}`
  }
}

/** Among very many users a search may take longer than a request waits: it is left out, and that is said. */
const orBusy =
  (filter: string) =>
  (error: unknown): undefined => {
    if (!String(error).includes('"unavailable"')) throw error
    process.stderr.write(`left out, because it is answered 503: ${filter}\n`)
  }

/** Makes queries of the list, under some filters. None comes twice until all pages of ten are used up; few users have few. */
export const createFreshPages = async ({ page }: Pick<Installed, 'page'>, filters: string[]) => {
  const lists: (() => string)[] = []
  for (const filter of filters) {
    const found = await page(filter).catch(orBusy(filter))
    if (!found) continue
    // The list in each order is there before its pages are measured: among very many users it takes longer than a measurement.
    for (const order of ordersOf(filter)) await page(filter + order).catch(orBusy(filter + order))
    const { pages } = found
    const draw = createDraw(filter, pages)
    lists.push(() => draw() ?? drawPage(filter, pages))
  }
  return (): string => encodeURI(lists[below(lists.length)]?.() ?? '')
}
