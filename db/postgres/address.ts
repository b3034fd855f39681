/** Connections of one process for its requests, unless the URL says otherwise. */
const defaultPoolSize = 10
const maxPoolSize = 200
const sizeParameter = 'pool_max_conns'

/** Where a database is, from its URL. */
export interface Address {
  url: string
  /** For messages: without name and password. */
  shown: string
  poolSize: number
}

/** Reads `postgres://…`. The parameter `pool_max_conns` is ours, all others are for `pg`. Throws when it is no such URL. */
export const readAddress = (text: string): Address => {
  const url = new URL(text)
  const size = url.searchParams.get(sizeParameter)
  url.searchParams.delete(sizeParameter)
  const poolSize = size === null ? defaultPoolSize : Number(size)
  if (!Number.isInteger(poolSize) || poolSize < 1 || poolSize > maxPoolSize) {
    throw new Error(`${sizeParameter} must be a whole number from 1 to ${maxPoolSize}`)
  }
  return { url: url.href, shown: `postgres://${url.host}${url.pathname}`, poolSize }
}

/** For messages: where the database at `postgres:REST` is, without name and password. */
export const showAddress = (rest: string): string => {
  try {
    return readAddress(`postgres:${rest}`).shown
  } catch {
    return 'postgres://…'
  }
}

/** The same database, with settings of PostgreSQL for each connection. */
export const withSettings = (address: string, settings: Record<string, string>): string => {
  const url = new URL(address)
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const given = url.searchParams.get('options')
  url.searchParams.set('options', [...(given === null ? [] : [given]), ...options].join(' '))
  return url.href
}
