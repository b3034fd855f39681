import { Pool, TypeOverrides, type PoolConfig } from 'pg'
import { withSettings, type Address } from './address.js'

/** Milliseconds. */
const limits = { connectionTimeoutMillis: 2000, statement_timeout: 4000, idle_in_transaction_session_timeout: 10_000 }
/** `/health/ready` answers within a second. */
const quickLimits = { connectionTimeoutMillis: 1000, statement_timeout: 1000 }
/**
 * After so many milliseconds without an answer, a statement fails and its connection is closed. `usual` is longer than
 * `statement_timeout`: a server that works gives the statement up first, and the connection stays usable.
 */
export const answerTimeouts = { usual: 5000, readiness: 1000 }

const int8 = 20

/** PostgreSQL sends bigint as text. All numbers of the service are safe integers; another would lose its last digits. */
const readInteger = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error('PostgreSQL sent a number that is not a safe integer')
  return number
}

const createTypes = () => {
  const types = new TypeOverrides()
  types.setTypeParser(int8, readInteger)
  return types
}

const createPool = (url: string, config: PoolConfig): Pool => {
  const pool = new Pool({
    connectionString: url,
    application_name: 'rollcall',
    keepAlive: true,
    // An idle connection must not keep a command from ending.
    allowExitOnIdle: true,
    types: createTypes(),
    ...config,
  })
  // The query that meets a lost connection reports it. Without listeners the process would end.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The server would compile the statement of a page of the user list again for each page, which takes ten times as long as the page. */
const uncompiled = { jit: 'off' }

/** The server overestimates how many changes a question finds, and would therefore plan it anew each time, which takes longer than its answer. */
const plannedOnce = { plan_cache_mode: 'force_generic_plan' }

/** Short-lived state is found by its key. A plan that was made while the table was almost empty would go on reading all of it. */
const byIndex = { enable_seqscan: 'off' }

/** Pools of connections to one database. A pool opens its connections when they are needed. */
export const createPools = ({ url, poolSize }: Address) => ({
  /** What a request asks together is sent together. */
  requests: createPool(withSettings(url, uncompiled), { ...limits, max: poolSize, pipeline: true }),
  /** For state that need not survive a power cut: its writes do not wait for the disk. */
  shortLived: createPool(withSettings(url, { ...uncompiled, ...byIndex, synchronous_commit: 'off' }), {
    ...limits,
    max: Math.ceil(poolSize / 2),
  }),
  /** Migrations take as long as they take. */
  migrations: createPool(url, {
    max: 1,
    idleTimeoutMillis: 1000,
    connectionTimeoutMillis: limits.connectionTimeoutMillis,
  }),
  /** Asks what has changed, for all requests of a moment at once. */
  changes: createPool(withSettings(url, { ...uncompiled, ...plannedOnce }), { ...limits, max: 1 }),
  /** Answers even while all other connections are in use. */
  readiness: createPool(url, { ...quickLimits, max: 1 }),
})
