import { base } from '../shared/base.js'

/** What a page of the sign-in passes on to the next one. */
const kept = ['tenant', 'next', 'interaction', 'lang'] as const

const searchWith = (more: Record<string, string>): string => {
  const present = new URLSearchParams(location.search)
  const query = new URLSearchParams(more)
  for (const name of kept) {
    const value = present.get(name)
    if (value !== null) query.set(name, value)
  }
  const search = query.toString()
  return search && `?${search}`
}

/** What the present page has in its query for the next one. */
export const keptSearch = (): string => searchWith({})

/** The address of a page of the sign-in, with what the present one has in its query. */
export const addressOf = (path: string, more: Record<string, string> = {}): string =>
  base.pathname + path + searchWith(more)

/** The tenant of the address; undefined where it is none. */
export const tenantOf = (search: string): number | undefined => {
  const value = new URLSearchParams(search).get('tenant') ?? ''
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined
}
