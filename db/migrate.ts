import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { OperatorError } from '../lib/operator-error.js'
import type { Engine } from './port.js'
import type { ReportProgress } from './progress.js'
import { createMigrations, type Report } from './migrations/index.js'

const silent = () => undefined

type Migrated = Pick<Engine, 'migrating' | 'schema'>

const migrator = ({ migrating: db, schema }: Migrated, report: Report = silent, progress: ReportProgress = silent) =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve(createMigrations(schema, report, progress)) } })

/** Names of migrations that have run and that only a later version of Rollcall knows. */
export const laterMigrations = async ({ migrating, schema }: Migrated): Promise<string[]> => {
  const known = createMigrations(schema, silent, silent)
  const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(migrating)
  return ran.rows.map(({ name }) => name).filter((name) => !(name in known))
}

/** Tells an operator that `name`, a database in which migrations `later` have run, needs a later version. */
export const ofLaterVersion = (name: string, later: string[]): string =>
  `${name} is of a later version of Rollcall (${later.join(', ')}). Install that version, or a newer one.`

/** For a database that Kysely refuses because a later version has migrated it, an error that says what to do. */
const explain = async (engine: Migrated, error: Error): Promise<Error> => {
  // When the database does not answer, `error` says so already.
  const later = await laterMigrations(engine).catch(() => [])
  if (later.length === 0) return error
  return new OperatorError(ofLaterVersion('The database', later), { cause: error })
}

/**
 * Migrates to the latest schema, or to that of the migration `last`. `report` receives what operators must know,
 * `progress` the progress of a long migration. Returns the names of the migrations that ran. Throws, with nothing
 * changed, when one fails.
 */
export const migrate = async (
  engine: Migrated,
  { last, report, progress }: { last?: string | undefined; report?: Report; progress?: ReportProgress } = {},
): Promise<string[]> => {
  const migrations = migrator(engine, report, progress)
  const { error, results } = await (last === undefined ? migrations.migrateToLatest() : migrations.migrateTo(last))
  if (error !== undefined) throw await explain(engine, error as Error)
  if (last === undefined) await engine.schema.deriveFromColumns(engine.migrating)
  return (results ?? []).map((result) => result.migrationName)
}

/** Names of the migrations that have not run yet. */
export const pendingMigrations = async (engine: Migrated): Promise<string[]> =>
  (await migrator(engine).getMigrations())
    .filter((migration) => !migration.executedAt)
    .map((migration) => migration.name)

/** Pending only in a database in which no migration has run. */
const firstMigration = '0001-accounts-and-sessions'

/** How the schema of a database differs from that of this version, with the names of migrations. */
export type SchemaState =
  { kind: 'none' } | { kind: 'current' } | { kind: 'earlier'; pending: string[] } | { kind: 'later'; later: string[] }

/** Compares the schema of a database with that of this version, and changes nothing. */
export const schemaState = async (engine: Migrated): Promise<SchemaState> => {
  const pending = await pendingMigrations(engine)
  if (pending.includes(firstMigration)) return { kind: 'none' }
  const later = await laterMigrations(engine)
  if (later.length > 0) return { kind: 'later', later }
  return pending.length > 0 ? { kind: 'earlier', pending } : { kind: 'current' }
}

/** Throws an error for operators unless the database, which it calls `name`, has the schema of this version. */
export const requireSchema = async (engine: Migrated, name: string): Promise<void> => {
  const state = await schemaState(engine)
  if (state.kind === 'current') return
  if (state.kind === 'later') throw new OperatorError(ofLaterVersion(name, state.later))
  throw new OperatorError(
    state.kind === 'none'
      ? `${name} has no data of Rollcall yet. Run \`rollcall init\` first, or look at DATABASE_URL (databaseUrl).`
      : `${name} is of an earlier version of Rollcall, whose servers may be using it. Make a backup, then run \`rollcall migrate\`, or start the service of this version.`,
  )
}
