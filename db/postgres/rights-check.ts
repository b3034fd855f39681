import { sql, type Kysely } from 'kysely'
import { countOf } from '../../lib/count-of.js'
import { keptTables } from '../repositories/kept.js'
import { migrationTables, pendingMigrations } from '../migrate.js'
import type { Tables } from '../tables.js'
import { postgresSchema } from './schema.js'

interface SchemaFacts {
  /** Where tables are created; null when `path` names no schema that is there. */
  schema: string | null
  path: string
  role: string
  mayCreate: boolean | null
}

interface TableFacts {
  table: string
  schema: string
  owner: string
  isOwned: boolean
  /** What the service does with each table and the role may not. */
  missing: string[]
}

const tableNames = () => [...keptTables.map(({ name }) => name), 'user_changes', ...migrationTables()]
const privileges = ['select', 'insert', 'update', 'delete']

const readSchema = async (db: Kysely<Tables>): Promise<SchemaFacts> => {
  const { rows } = await sql<SchemaFacts>`
    select quote_ident(current_schema()) as schema, current_setting('search_path') as path, quote_ident(current_user) as role,
      has_schema_privilege(current_schema(), 'create') as "mayCreate"`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('the server did not say which schema it uses')
  return facts
}

/** The tables of the service that its statements find. */
const readTables = async (db: Kysely<Tables>): Promise<TableFacts[]> => {
  const { rows } = await sql<TableFacts>`
    select relname as table, relnamespace::regnamespace::text as schema, quote_ident(pg_get_userbyid(relowner)) as owner,
      pg_has_role(relowner, 'usage') as "isOwned",
      array(select privilege from unnest(${privileges}::text[]) with ordinality as wanted(privilege, place)
        where not has_table_privilege(pg_class.oid, privilege) order by place) as missing
    from pg_class where relkind in ('r', 'p') and relname = any(${tableNames()}::text[]) and pg_table_is_visible(pg_class.oid)
    order by relname`.execute(db)
  return rows
}

const tablesIn = ([first, ...others]: TableFacts[]): string =>
  `the table ${first?.table ?? ''}${others.length === 0 ? '' : ` and ${countOf(others.length, 'other')}`}`

/** Whoever restores a dump under another role, or grants table by table, leaves some out. */
const checkTables = (role: string, tables: TableFacts[]): void => {
  const lacking = tables.filter(({ missing }) => missing.length > 0)
  const [first] = lacking
  if (!first) return
  const all = privileges.filter((privilege) => lacking.some(({ missing }) => missing.includes(privilege)))
  throw new Error(
    `the role ${role} may not ${all.join(', ')} in ${tablesIn(lacking)}: run \`grant ${privileges.join(', ')} on all tables in schema ${first.schema} to ${role}\` as ${first.owner}, who owns them`,
  )
}

/** Who changes a table must own it; PostgreSQL knows no right for it. */
const checkOwner = (role: string, tables: TableFacts[]): void => {
  const [first] = tables.filter(({ isOwned }) => !isOwned)
  if (!first) return
  throw new Error(
    `its tables belong to ${first.owner} and must be changed for this version, which only their owner may do: start this version once as ${first.owner}, or run \`grant ${first.owner} to ${role}\``,
  )
}

/** Throws with what to grant when the role may not do what the service does: read and write its tables, and create those that are missing. */
export const checkRights = async (db: Kysely<Tables>): Promise<void> => {
  const { schema, path, role, mayCreate } = await readSchema(db)
  if (schema === null) {
    throw new Error(
      `its search_path (${path}) names no schema that exists and that the role ${role} may use: create one, grant usage on it, or correct the path (alter role … set search_path)`,
    )
  }
  const tables = await readTables(db)
  checkTables(role, tables)
  if ((await pendingMigrations({ migrating: db, schema: postgresSchema })).length === 0) return
  checkOwner(role, tables)
  if (mayCreate) return
  throw new Error(
    `the role ${role} may not create tables in the schema ${schema}: run \`grant create on schema ${schema} to ${role}\` as the owner of the database, or give the role a schema of its own`,
  )
}
