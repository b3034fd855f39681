import { randomBytes } from 'node:crypto'
import { Client, Pool, type PoolConfig } from 'pg'
import { t as root, type Test } from 'tap'

/** The PostgreSQL server of the tests. They make databases of their own there, and remove them. */
const server = process.env['ROLLCALL_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export const urlOf = (database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements on the database at `url`, one after the other. Resolves to the rows of the last one. */
export const runSql = async (url: string, ...statements: (string | [string, unknown[]])[]): Promise<any[]> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    let rows: any[] = []
    for (const statement of statements) {
      const [text, values] = typeof statement === 'string' ? [statement, []] : statement
      rows = (await client.query(text, values)).rows
    }
    return rows
  } finally {
    await client.end()
  }
}

/** A pool of one connection. `end` does not wait until the server knows; until then the connection may still be cut. */
export const createPool = (url: string, more: PoolConfig = {}): Pool => {
  const pool = new Pool({ connectionString: url, max: 1, ...more })
  pool.on('error', () => undefined)
  return pool
}

/** Calls `listener` before each query that a connection of the pool sends. */
export const watchQueries = (pool: Pool, listener: (text: string) => void): void => {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...parts: unknown[]) => unknown
    const query = (...parts: unknown[]) => {
      listener((parts[0] as { text: string }).text)
      return send(...parts)
    }
    Object.assign(client, { query })
  })
}

let answers: Promise<boolean> | undefined
/** Whether the server answers; asked once. */
export const isPostgresThere = (): Promise<boolean> =>
  (answers ??= runSql(server, 'select 1').then(
    () => true,
    () => false,
  ))

/** Why a test does not run without PostgreSQL. */
export const skipped = `PostgreSQL does not answer at ${new URL(server).host} (ROLLCALL_TEST_POSTGRES_URL)`

/** Connections of a test that has ended are cut. */
const drop = (name: string) => runSql(server, `drop database if exists ${name} with (force)`)

const create = async (template?: string): Promise<string> => {
  const name = `rollcall_test_${randomBytes(8).toString('hex')}`
  await runSql(server, `create database ${name} template ${template ?? "template0 encoding 'UTF8'"}`)
  return name
}

const cutConnections = (name: string) =>
  runSql(server, ['select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]])

const accessedByOthers = '55006'
const maxTries = 4

/** A server that still runs may connect again between the cut and the copy. */
const copyOf = async (template: string): Promise<string> => {
  for (let tries = 1; ; tries++) {
    await cutConnections(template)
    try {
      return await create(template)
    } catch (error) {
      if ((error as { code?: string }).code !== accessedByOthers || tries === maxTries) throw error
    }
  }
}

/** The URL of a database that ends with the test: an empty one, or a copy of `template`, whose connections are cut. */
export const createPostgres = async (t: Test, template?: string): Promise<string> => {
  const name = await (template?.startsWith('rollcall_test_') ? copyOf(template) : create(template))
  t.teardown(() => drop(name))
  return urlOf(name)
}

/** The name of an empty database that ends with the process. */
export const createLastingPostgres = async (): Promise<string> => {
  const name = await create()
  root.teardown(() => drop(name))
  return name
}

/** Copies what is in a database to a schema of its own there, from which `reset` restores it. */
export const keepContent = (name: string) =>
  runSql(
    urlOf(name),
    'create schema kept',
    `do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('create table kept.%1$I as select * from public.%1$I', name);
      end loop;
    end $$`,
    'create table kept.sequences as select sequencename::text as name, last_value from pg_sequences',
  )

/** Puts a database back to the content that `keepContent` has kept, or empties it; only migrations stay done. */
const reset = (name: string, isEmpty: boolean) =>
  runSql(
    urlOf(name),
    `do $$ declare name text; sequence text; begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables where schemaname = 'public' and tablename !~ '_migration(_lock)?$' loop
        execute format('delete from public.%I', name);
        ${isEmpty ? '' : "execute format('insert into public.%1$I select * from kept.%1$I', name);"}
      end loop;
      for sequence in select kept.sequences.name from kept.sequences loop
        perform setval(format('public.%I', sequence)::regclass,
          ${isEmpty ? '1, false' : 'coalesce(one.last_value, 1), one.last_value is not null'}) from kept.sequences as one where one.name = sequence;
      end loop;
    end $$`,
  )

/** Copies of a database that no test uses at the moment: to put one back takes a fraction of the time of a new one. */
const free: string[] = []

/** The URL of a copy of `template`, for this test only; with `isEmpty` without its rows. */
export const borrowPostgres = async (t: Test, template: string, isEmpty: boolean): Promise<string> => {
  let name = free.pop()
  if (name === undefined) {
    const added = await create(template)
    root.teardown(() => drop(added))
    name = added
    if (isEmpty) await reset(name, true)
  } else await reset(name, isEmpty)
  const borrowed = name
  t.teardown(async () => {
    await cutConnections(borrowed)
    free.push(borrowed)
  })
  return urlOf(borrowed)
}
