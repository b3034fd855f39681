import type { Kysely } from 'kysely'
import { inTransaction } from './direct.js'
import { createDisabledMethodRepository } from './disabled-methods.js'
import { openEngine, sqliteFile } from './engine.js'
import { createIdentityRepository } from './identities.js'
import { createLoginLogRepository } from './login-log.js'
import { prepareManyWrites } from './many-writes-sqlite.js'
import { migrate, pendingMigrations } from './migrate.js'
import { createRoleRepository } from './roles.js'
import { createOwnerRecall } from './session-owner.js'
import { testRoom } from './room.js'
import { createSessionRepository } from './sessions.js'
import { createSigningKeyRepository } from './signing-keys.js'
import { createDatabaseStore } from './store.js'
import type { Tables } from './tables.js'
import { createTenantRepository } from './tenants.js'
import { createUserList, type Limits, type Renderer } from './user-list/index.js'
import { createUserRepository } from './users.js'
import { createVerifiedContactRepository } from './verified-contacts.js'

const createRepositories = (db: Kysely<Tables>, recall?: ReturnType<typeof createOwnerRecall>) => ({
  tenants: createTenantRepository(db),
  users: createUserRepository(db),
  roles: createRoleRepository(db),
  sessions: createSessionRepository(db, recall),
  signingKeys: createSigningKeyRepository(db),
  loginLog: createLoginLogRepository(db),
  identities: createIdentityRepository(db),
  disabledMethods: createDisabledMethodRepository(db),
  verifiedContacts: createVerifiedContactRepository(db),
})

export { OpenError } from './outage.js'

export type Repositories = ReturnType<typeof createRepositories>
export type Database = ReturnType<typeof openDatabase>

/**
 * Opens the database at `url` (see `databaseUrl` in the configuration); a relative path starts in `directory`.
 * Does not migrate: call `migrate` before the first use.
 */
export const openDatabase = (url: string, directory: string) => {
  const { db, shortLived, version, start, failure } = openEngine(url, directory)
  return {
    ...createRepositories(db, createOwnerRecall(version)),
    createStore: (now: () => number) => createDatabaseStore(shortLived, now),
    /** The list of users, each as the text that `renderer` makes of it; to be closed before the database. */
    createUserList: (renderer: Renderer, now: () => number, limits?: Partial<Limits>) =>
      createUserList({ db, version }, sqliteFile(url, directory), renderer, now, limits),

    /** Runs `work` in one transaction: all of it is kept, or, when it throws, none. */
    transaction: <T>(work: (repositories: Repositories) => Promise<T>): Promise<T> =>
      inTransaction(db, (transaction) => work(createRepositories(transaction))),

    /** Starts the threads of the engine before they are needed; resolves when they have loaded their code. */
    start,
    /** For commands that write a great deal: takes more memory and writes less often. */
    prepareManyWrites: () => prepareManyWrites(db),
    migrate: (options?: Parameters<typeof migrate>[1]) => migrate(db, options),
    pendingMigrations: () => pendingMigrations(db),
    /** Throws when the database does not answer. */
    ping: async () => {
      await db.selectFrom('tenants').select('id').limit(1).execute()
    },
    /** Writes something at the moment `now` as lasting data is written. Throws when that or the disk does not take it. */
    async testWrite(now: number): Promise<void> {
      await createDatabaseStore(db, () => now).set('write-test', '', 24 * 3600 * 1000)
      const file = sqliteFile(url, directory)
      if (file !== undefined) await testRoom(file)
    },
    /** Resolves when the database must not be used any more, with the reason: `fault` from then on. */
    failed: failure.happened,
    fault: () => failure.current(),
    close: () => db.destroy(),
  }
}
