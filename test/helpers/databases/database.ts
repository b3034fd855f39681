import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client, TypeOverrides } from 'pg'

/** The tests over HTTP run on SQLite, or with `ROLLCALL_TEST_DATABASE=postgres` on PostgreSQL. */
export const isOnPostgres = process.env['ROLLCALL_TEST_DATABASE'] === 'postgres'

/** The options of a test that is about the file of SQLite, or about how that engine works. */
export const onSqliteOnly = { skip: isOnPostgres ? 'about the SQLite file' : false }

/** The database of a data directory, which need not have a configuration yet. */
export const databaseUrlOf = (directory: string): string => {
  const path = join(directory, 'config.json')
  if (!existsSync(path)) return 'sqlite:rollcall.db'
  return (JSON.parse(readFileSync(path, 'utf8')) as { databaseUrl: string }).databaseUrl
}

type Value = string | number | null

/** A connection of its own, as another process has. Statements are in SQL that both engines understand; `?` is a value. */
export interface Connection {
  run: (sql: string, ...values: Value[]) => Promise<void>
  all: <Row = Record<string, any>>(sql: string, ...values: Value[]) => Promise<Row[]>
  /** Runs what `work` writes as a whole; without it each statement is written by itself. */
  transaction: (work: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

const openFile = (path: string): Connection => {
  const file = new Sqlite(path, { timeout: 5000 })
  file.pragma('foreign_keys = on')
  return {
    run: async (sql, ...values) => {
      file.prepare(sql).run(values)
    },
    all: async <Row>(sql: string, ...values: Value[]) => file.prepare(sql).all(values) as Row[],
    async transaction(work) {
      file.exec('begin immediate')
      await work().then(
        () => file.exec('commit'),
        (error: unknown) => {
          file.exec('rollback')
          throw error
        },
      )
    },
    close: async () => {
      file.close()
    },
  }
}

export const connectPostgres = async (url: string): Promise<Connection> => {
  const types = new TypeOverrides()
  types.setTypeParser(20, Number)
  const client = new Client({ connectionString: url, types })
  await client.connect()
  const query = (sql: string, values: Value[]) => {
    let count = 0
    return client.query(
      sql.replace(/\?/g, () => `$${++count}`),
      values,
    )
  }
  return {
    run: async (sql, ...values) => {
      await query(sql, values)
    },
    all: async <Row>(sql: string, ...values: Value[]) => (await query(sql, values)).rows as Row[],
    async transaction(work) {
      await client.query('begin')
      await work().then(
        () => client.query('commit'),
        async (error: unknown) => {
          await client.query('rollback')
          throw error
        },
      )
    },
    close: () => client.end(),
  }
}

/** Connects to the database of a data directory. */
export const connect = async (directory: string): Promise<Connection> => {
  const url = databaseUrlOf(directory)
  return url.startsWith('sqlite:') ? openFile(resolve(directory, url.slice('sqlite:'.length))) : connectPostgres(url)
}

/** All bytes of the database of a data directory that a thief could read. */
export const databaseBytes = async (directory: string): Promise<Buffer> => {
  if (databaseUrlOf(directory).startsWith('sqlite:')) {
    const files = readdirSync(directory).filter((name) => name.startsWith('rollcall.db'))
    return Buffer.concat(files.map((name) => readFileSync(join(directory, name))))
  }
  const { all, close } = await connect(directory)
  const tables = await all<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
  const rows = []
  for (const { name } of tables) rows.push(await all(`select * from "${name}"`))
  await close()
  return Buffer.from(
    rows
      .flat()
      .flatMap((row) => Object.values(row).map(String))
      .join('\n'),
  )
}
