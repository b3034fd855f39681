import { sql } from 'kysely'
import type { Engine } from '../port.js'
import { createFailure } from '../failure.js'
import { createUserList } from '../user-list/user-list.js'
import { OpenError } from '../errors.js'
import { readAddress, showAddress, type Address } from './address.js'
import { createChangeFeed } from './changes/change-feed.js'
import { createChangePurge } from './changes/change-purge.js'
import { createCopying } from './copying.js'
import { createFairLimiter } from '../lists/fair-limiter.js'
import { createKysely, createRunInTransaction } from './dialect.js'
import { checkPooler } from './pooler-check.js'
import { answerTimeouts, createPools } from './pools.js'
import { checkRights } from './rights-check.js'
import { postgresSchema } from './schema.js'
import { checkServer } from './server-check.js'
import { createStatementNames } from './statement-names.js'
import { createTransactions } from './transactions.js'
import { openListEngine } from './user-list/engine.js'

/** Milliseconds, in which the event loop is free. */
const stepTime = 100

const openAt = async (address: Address): Promise<Engine> => {
  const pools = createPools(address)
  const names = createStatementNames()
  const db = createKysely(pools.requests, names, answerTimeouts.usual)
  const others = {
    shortLived: createKysely(pools.shortLived, names, answerTimeouts.usual),
    migrating: createKysely(pools.migrations, names),
    readiness: createKysely(pools.readiness, names, answerTimeouts.readiness),
    changes: createKysely(pools.changes, names, answerTimeouts.usual),
  }
  const close = async () => {
    await Promise.all([db, ...Object.values(others)].map((one) => one.destroy()))
  }
  try {
    await checkServer(others.migrating)
    await checkPooler(pools)
    await checkRights(others.migrating)
  } catch (error) {
    await close()
    throw error
  }
  const changes = createChangeFeed(others.changes)
  const runInTransaction = createRunInTransaction(pools.requests, names, db)
  // Of all lists together, so that the other connections serve other requests.
  const runFairly = createFairLimiter(Math.ceil(address.poolSize / 4))
  return {
    db,
    shortLived: others.shortLived,
    migrating: others.migrating,
    changes,
    isShared: true,
    schema: postgresSchema,
    tableNames: async () => {
      const names = sql<{ name: string }>`select relname as name from pg_class
        where relkind in ('r', 'p') and pg_table_is_visible(oid) order by relname`
      return (await names.execute(others.migrating)).rows.map(({ name }) => name)
    },
    failure: createFailure(),
    transaction: createTransactions(runInTransaction),
    listSteps: { runFairly, stepTime },
    openUserList: (limits) =>
      createUserList(openListEngine(db, runInTransaction, runFairly, changes.listVersion), limits),
    ping: async () => {
      await others.readiness.selectFrom('tenants').select('id').limit(1).execute()
    },
    purgeChanges: createChangePurge(db),
    // The server does these by itself.
    indexNames: async () => undefined,
    prepareManyWrites: async () => undefined,
    testRoom: async () => undefined,
    copying: createCopying(others.migrating),
    close,
  }
}

/** Opens the database at `postgres:ADDRESS`. Throws an `OpenError` when it cannot. */
export const openPostgresUrl = async (rest: string): Promise<Engine> => {
  try {
    return await openAt(readAddress(`postgres:${rest}`))
  } catch (cause) {
    throw new OpenError(showAddress(rest), cause as Error)
  }
}
