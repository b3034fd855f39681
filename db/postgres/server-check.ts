import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** Oldest version that the tests have run on, as the server numbers it. */
const minVersion = 150_000
/** Milliseconds by which the clocks of two machines may differ: the lifetimes of tokens and codes depend on them. */
const maxDifference = 1000

/** Throws when the server cannot hold the data of this service, or has another time. */
export const checkServer = async (db: Kysely<Tables>): Promise<void> => {
  const begin = Date.now()
  const { rows } = await sql<{ version: number; encoding: string; time: number }>`
    select current_setting('server_version_num')::bigint as version, current_setting('server_encoding') as encoding,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as time`.execute(db)
  const end = Date.now()
  const [server] = rows
  if (!server) throw new Error('the server did not say its version')
  if (server.version < minVersion) throw new Error('PostgreSQL 15 or newer is needed')
  if (server.encoding !== 'UTF8') throw new Error(`its encoding is ${server.encoding}, and must be UTF8`)
  if (server.time < begin - maxDifference || server.time > end + maxDifference) {
    throw new Error('its clock differs by more than a second from the clock of this machine')
  }
}
