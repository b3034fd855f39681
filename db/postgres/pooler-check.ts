import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type DatabaseError, type Pool, type PoolClient } from 'pg'

/** A statement of that name is not there, or another one is. */
const lostStatement = ['26000', '42P05']
/** Milliseconds in which a pooler chooses a server. */
const choice = 100

/** PostgreSQL tells a client the number of its process. A pooler in between tells a number of its own. */
const isBehindPooler = async (client: PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid()::int as pid')
  return rows[0]?.pid !== (client as unknown as { processID: number | null }).processID
}

/**
 * Two clients prepare different statements under one name, which works only where each has statements of its own. Then the first one
 * runs its statement again while the second one keeps a server busy, so that a pooler may choose another one.
 */
const tryStatements = async (first: PoolClient, second: PoolClient): Promise<void> => {
  const name = `rollcall_check_${randomBytes(8).toString('hex')}`
  await first.query({ name, text: 'select 1' })
  await second.query({ name, text: 'select 2' })
  await second.query('begin')
  const again = first.query({ name, text: 'select 1' })
  // Where the pooler has only one server, the first client waits for the second one.
  await Promise.race([again, setTimeout(choice)])
  await second.query('rollback')
  await again
}

const explain = (error: unknown): unknown => {
  const { code = '', message } = error as DatabaseError
  if (lostStatement.includes(code)) {
    return new Error(
      'a pooler in between does not keep prepared statements: use session mode, or PgBouncer 1.21 or newer with max_prepared_statements',
      { cause: error },
    )
  }
  if (!message.includes('unsupported startup parameter')) return error
  return new Error(
    `${message}: a pooler in between must ignore it (PgBouncer: ignore_startup_parameters = options, statement_timeout, idle_in_transaction_session_timeout)`,
    { cause: error },
  )
}

/** Throws when connections of the pools do not keep what they prepare. Tries it only where a pooler is in between. */
export const checkPooler = async (pools: Record<'migrations' | 'requests' | 'shortLived', Pool>): Promise<void> => {
  const clients: PoolClient[] = []
  const connect = async (pool: Pool): Promise<PoolClient> => {
    const client = await pool.connect()
    clients.push(client)
    return client
  }
  try {
    if (!(await isBehindPooler(await connect(pools.migrations)))) return
    // One of each, because a pool may have only one connection.
    await tryStatements(await connect(pools.requests), await connect(pools.shortLived))
  } catch (error) {
    throw explain(error)
  } finally {
    for (const client of clients.slice(1)) client.release(true)
    clients[0]?.release()
  }
}
