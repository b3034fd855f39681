import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { OperatorError } from '../lib/operator-error.js'
import { guestTables } from './guest-tables.js'
import type { Engine, EngineSchema } from './port.js'
import type { ReportProgress } from './progress.js'
import { createMigrations, type Report } from './migrations/index.js'

/** Where the migrations of a guest are remembered. */
const migrationTableOf = (guest: string) => `${guest}_migration`
const lockOf = (table: string) => `${table}_lock`

/** The tables in which Kysely remembers the migrations of a guest. */
export const migrationTablesOf = (guest: string): string[] => [migrationTableOf(guest), lockOf(migrationTableOf(guest))]

/** The guest whose migrations a table remembers; undefined where it is no such table. */
export const guestOfMigrationTable = (table: string): string | undefined => {
  const [, guest] = /^([a-z]+)_migration$/.exec(table) ?? []
  return guest === 'kysely' ? undefined : guest
}

const silent = () => undefined

type Migrated = Pick<Engine, 'migrating' | 'schema'>

/** Migrations that are remembered in a table of their own: those of the house, and those of a guest. */
interface MigrationSet {
  table: string
  /** Before the names of a guest's migrations, in messages. */
  prefix: string
  create: (schema: EngineSchema, report: Report, progress: ReportProgress) => Record<string, Migration>
}

const house: MigrationSet = { table: 'kysely_migration', prefix: '', create: createMigrations }

/** Those of the house first: a guest that comes later never stands before one of them. */
const migrationSets = (): MigrationSet[] => [
  house,
  ...[...guestTables].map(([guest, { migrations }]): MigrationSet => ({
    table: migrationTableOf(guest),
    prefix: `${guest}/`,
    create: (schema, _report, progress) => migrations(schema, progress),
  })),
]

/** The tables in which Kysely remembers what has run. */
export const migrationTables = (): string[] => migrationSets().flatMap(({ table }) => [table, lockOf(table)])

const migrator = (
  { migrating: db, schema }: Migrated,
  { table, create }: MigrationSet,
  report: Report = silent,
  progress: ReportProgress = silent,
) =>
  new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(create(schema, report, progress)) },
    migrationTableName: table,
    migrationLockTableName: lockOf(table),
  })

const pendingOf = async (engine: Migrated, set: MigrationSet): Promise<string[]> =>
  (await migrator(engine, set).getMigrations())
    .filter((migration) => !migration.executedAt)
    .map((migration) => set.prefix + migration.name)

const laterOf = async ({ migrating, schema }: Migrated, { table, prefix, create }: MigrationSet): Promise<string[]> => {
  const known = create(schema, silent, silent)
  const ran = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(migrating)
  return ran.rows
    .map(({ name }) => name)
    .filter((name) => !(name in known))
    .map((name) => prefix + name)
}

/** Names of migrations that have run and that only a later version of Rollcall knows. */
export const laterMigrations = async (engine: Migrated): Promise<string[]> => {
  const later = await laterOf(engine, house)
  for (const set of migrationSets().slice(1)) {
    const all = Object.keys(set.create(engine.schema, silent, silent)).length
    // Where none has run there is no table.
    if ((await pendingOf(engine, set)).length < all) later.push(...(await laterOf(engine, set)))
  }
  return later
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
 * `progress` the progress of a long migration. Returns the names of the migrations that ran. Throws when one fails; of those of
 * the house, or of a guest, then none has changed anything.
 */
export const migrate = async (
  engine: Migrated,
  { last, report, progress }: { last?: string | undefined; report?: Report; progress?: ReportProgress } = {},
): Promise<string[]> => {
  const ran: string[] = []
  for (const set of last === undefined ? migrationSets() : [house]) {
    const migrations = migrator(engine, set, report, progress)
    const { error, results } = await (last === undefined ? migrations.migrateToLatest() : migrations.migrateTo(last))
    if (error !== undefined) throw await explain(engine, error as Error)
    ran.push(...(results ?? []).map(({ migrationName }) => set.prefix + migrationName))
  }
  if (last === undefined) await engine.schema.deriveFromColumns(engine.migrating)
  return ran
}

/** Names of the migrations that have not run yet. */
export const pendingMigrations = async (engine: Migrated): Promise<string[]> => {
  const pending: string[] = []
  for (const set of migrationSets()) pending.push(...(await pendingOf(engine, set)))
  return pending
}

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
      ? `${name} has no data of Rollcall yet. Set DATABASE_URL (databaseUrl) to the database of the service. Only for a new installation, run \`rollcall init\`.`
      : `${name} is of an earlier version of Rollcall, whose servers may be using it. Make a backup, then run \`rollcall migrate\`, or start the service of this version.`,
  )
}
