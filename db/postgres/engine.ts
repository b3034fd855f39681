import type { Engine } from '../engine.js'
import { createFailure } from '../failure.js'
import { OpenError } from '../outage.js'
import { openTemporaryFile } from '../sqlite/temporary-file.js'
import { createPlainUserList } from '../user-list/plain-user-list.js'
import { readAddress, type Address } from './address.js'
import { createKysely } from './dialect.js'
import { createPools } from './pools.js'
import { postgresSchema } from './schema.js'
import { checkServer } from './server-check.js'
import { createStatementNames } from './statement-names.js'
import { createTransactions } from './transactions.js'
import { createFairList } from './user-list/fair-list.js'
import { narrowByGrams } from './user-list/name-grams.js'

const openAt = async (address: Address): Promise<Engine> => {
  const pools = createPools(address)
  const nameOf = createStatementNames()
  const db = createKysely(pools.requests, nameOf)
  const others = {
    shortLived: createKysely(pools.shortLived, nameOf),
    migrating: createKysely(pools.migrations, nameOf),
    readiness: createKysely(pools.readiness, nameOf),
  }
  const close = async () => {
    await Promise.all([db, ...Object.values(others)].map((one) => one.destroy()))
  }
  try {
    await checkServer(others.migrating)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db,
    shortLived: others.shortLived,
    migrating: others.migrating,
    // A process that asks whether anything has changed asks the server anyway.
    version: () => undefined,
    schema: postgresSchema,
    failure: createFailure(),
    transaction: createTransactions(db),
    createUserList: () => createFairList(createPlainUserList(db, narrowByGrams), Math.ceil(address.poolSize / 4)),
    ping: async () => {
      await others.readiness.selectFrom('tenants').select('id').limit(1).execute()
    },
    // The server does these by itself.
    indexNames: async () => undefined,
    prepareManyWrites: async () => undefined,
    testRoom: async () => undefined,
    openTemporaryFile,
    close,
  }
}

/** Opens the database at `postgres:ADDRESS`. Throws an `OpenError` when it cannot. */
export const openPostgresUrl = async (rest: string): Promise<Engine> => {
  let shown = 'postgres://…'
  try {
    const address = readAddress(`postgres:${rest}`)
    shown = address.shown
    return await openAt(address)
  } catch (cause) {
    throw new OpenError(shown, cause as Error)
  }
}
