import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
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
  await client.connect()
  try {
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

/** The URL of a database that ends with the test: an empty one, or a copy of `template`, which nobody may use meanwhile. */
export const createPostgres = async (t: Test, template?: string): Promise<string> => {
  const name = await create(template)
  t.teardown(() => drop(name))
  return urlOf(name)
}

/** The name of an empty database that ends with the process. */
export const createLastingPostgres = async (): Promise<string> => {
  const name = await create()
  root.teardown(() => drop(name))
  return name
}
