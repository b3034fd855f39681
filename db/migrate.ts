import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { accountsAndSessions } from './migrations/0001-accounts-and-sessions.js'
import { loginLog } from './migrations/0002-login-log.js'
import { userChanges } from './migrations/0003-user-changes.js'
import { identities } from './migrations/0004-identities.js'
import { loginMethods } from './migrations/0005-login-methods.js'
import { passwordTime } from './migrations/0006-password-time.js'
import { storeInItsKey } from './migrations/0007-store-in-its-key.js'
import { sessionDevices } from './migrations/0008-session-devices.js'
import { countedRefusals } from './migrations/0009-counted-refusals.js'
import { refoldedKeys } from './migrations/0010-refolded-keys.js'
import { sessionIdentities } from './migrations/0011-session-identities.js'
import { verifiedContacts } from './migrations/0012-verified-contacts.js'
import type { Tables } from './tables.js'

/** What a migration has to tell the operator. */
type Report = (line: string) => void
const silent: Report = () => undefined

const createMigrations = (report: Report): Record<string, Migration> => ({
  '0001-accounts-and-sessions': accountsAndSessions,
  '0002-login-log': loginLog,
  '0003-user-changes': userChanges,
  '0004-identities': identities,
  '0005-login-methods': loginMethods,
  '0006-password-time': passwordTime,
  '0007-store-in-its-key': storeInItsKey,
  '0008-session-devices': sessionDevices,
  '0009-counted-refusals': countedRefusals,
  '0010-refolded-keys': refoldedKeys(report),
  '0011-session-identities': sessionIdentities,
  '0012-verified-contacts': verifiedContacts,
})

const migrator = (db: Kysely<Tables>, report = silent) =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve(createMigrations(report)) } })

/**
 * Brings the schema up to date, or to what it was after the migration `last`; `report` is told what operators must know. Returns the names of the migrations it
 * ran. Throws, with nothing changed, when one fails.
 */
export const migrate = async (
  db: Kysely<Tables>,
  { last, report = silent }: { last?: string | undefined; report?: Report } = {},
): Promise<string[]> => {
  const migrations = migrator(db, report)
  const { error, results } = await (last === undefined ? migrations.migrateToLatest() : migrations.migrateTo(last))
  if (error !== undefined) throw error as Error
  return (results ?? []).map((result) => result.migrationName)
}

/** The names of the migrations that have not run yet. */
export const pendingMigrations = async (db: Kysely<Tables>): Promise<string[]> =>
  (await migrator(db).getMigrations()).filter((migration) => !migration.executedAt).map((migration) => migration.name)
