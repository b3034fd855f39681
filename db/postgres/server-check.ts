import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** Oldest version that the tests have run on, as the server numbers it. */
const minVersion = 150_000
/** Milliseconds by which the clocks of two machines may differ: the lifetimes of tokens and codes depend on them. */
const maxDifference = 1000

interface ServerFacts {
  version: number
  encoding: string
  time: number
  numbersTransactions: boolean
}

/** Throws when the server cannot hold the data of this service, or has another time. */
export const checkServer = async (db: Kysely<Tables>): Promise<void> => {
  const begin = Date.now()
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::bigint as version, current_setting('server_encoding') as encoding,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as time,
      version() like 'PostgreSQL %' and version() not like '%-YB-%'
        and to_regprocedure('pg_visible_in_snapshot(xid8,pg_snapshot)') is not null as "numbersTransactions"`.execute(
    db,
  )
  const end = Date.now()
  const [server] = rows
  if (!server) throw new Error('the server did not say its version')
  if (server.version < minVersion) throw new Error('PostgreSQL 15 or newer is needed')
  // Others that speak its protocol cannot tell which transactions a snapshot sees, or have functions of these names that mean nothing.
  if (!server.numbersTransactions) {
    throw new Error('it is not PostgreSQL itself: the service needs its numbers of transactions (pg_current_snapshot)')
  }
  if (server.encoding !== 'UTF8') throw new Error(`its encoding is ${server.encoding}, and must be UTF8`)
  if (server.time < begin - maxDifference || server.time > end + maxDifference) {
    throw new Error('its clock differs by more than a second from the clock of this machine')
  }
}
