import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

/** The database that is measured. It is made for the benchmark and removed afterwards. */
export interface BenchDatabase {
  engine: 'sqlite' | 'postgres'
  url: string
  /** The processes of the database on this machine, apart from Rollcall. */
  pids: () => Promise<number[]>
  /** Does now what would otherwise be done during a measurement. */
  settle: () => Promise<void>
  remove: () => Promise<void>
}

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** PostgreSQL shows the name of the database in the title of a process. The server may run on another machine. */
const isOurs = (pid: number, database: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(database)
  } catch {
    return false
  }
}

/** Creates a database on the server of `server`, a URL. */
const createPostgres = async (server: string): Promise<BenchDatabase> => {
  const name = `rollcall_bench_${randomBytes(8).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await withClient(server, (client) => client.query(`create database ${name} encoding 'UTF8' template template0`))
  return {
    engine: 'postgres',
    url: url.href,
    pids: () =>
      withClient(server, async (client) => {
        const found = await client.query<{ pid: number }>('select pid from pg_stat_activity where datname = $1', [name])
        return found.rows.map(({ pid }) => pid).filter((pid) => isOurs(pid, name))
      }),
    settle: () =>
      withClient(url.href, async (client) => {
        // The tables that the server itself would analyze within a minute, by its own rule. It leaves alone those that have hardly
        // changed: with the statistics of an empty table it would plan to read the whole table, and keep that plan while it grows.
        const { rows } = await client.query<{ name: string }>(
          `select relname as name from pg_stat_user_tables where n_mod_since_analyze > 50 + n_live_tup / 10`,
        )
        if (rows.length > 0) await client.query(`vacuum analyze ${rows.map(({ name }) => name).join()}`)
        await client.query('checkpoint')
      }),
    remove: async () => {
      await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** A file in the data directory, which is removed with it. */
const inDirectory = (directory: string): BenchDatabase => ({
  engine: 'sqlite',
  url: 'sqlite:rollcall.db',
  pids: async () => [],
  settle: async () => {
    // The system would write it to the disk later.
    const file = openSync(join(directory, 'rollcall.db'), 'r')
    fsyncSync(file)
    closeSync(file)
  },
  remove: async () => undefined,
})

const made: BenchDatabase[] = []

export const createBenchDatabase = async (server: string | undefined, directory: string): Promise<BenchDatabase> => {
  const database = server === undefined ? inDirectory(directory) : await createPostgres(server)
  made.push(database)
  return database
}

/** Nothing may use the databases any more. */
export const removeDatabases = async (): Promise<void> => {
  for (const database of made.splice(0)) await database.remove()
}
