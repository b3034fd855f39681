import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
// With the tables of guests, whichever test of the process is the first.
import '../../guests/joined.js'
import { openDatabase, type Database } from '../../db/index.js'
import {
  borrowPostgres,
  createLastingPostgres,
  isPostgresThere,
  keepContent,
  skipped,
  urlOf,
} from '../helpers/databases/postgres.js'

/** The URL of an empty database that ends with the test. */
type CreateUrl = (t: Test) => string | Promise<string>

let template: Promise<string> | undefined
/** A migrated database: migrating takes longer than most tests. */
const createTemplate = async (): Promise<string> => {
  const name = await createLastingPostgres()
  const db = await openDatabase(urlOf(name), '/')
  await db.migrate()
  await db.close()
  await keepContent(name)
  return name
}
const findTemplate = () => (template ??= createTemplate())

/** The URL of an empty, migrated PostgreSQL database that ends with the test. */
export const borrowMigrated = async (t: Test): Promise<string> => borrowPostgres(t, await findTemplate(), true)

const engines: Record<string, CreateUrl> = {
  SQLite: (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
    t.teardown(() => rmSync(directory, { recursive: true }))
    return `sqlite:${join(directory, 'test.db')}`
  },
  PostgreSQL: borrowMigrated,
}

/** Why the tests of an engine do not run; false when they do. */
const skips: Record<string, string | false> = { PostgreSQL: (await isPostgresThere()) ? false : skipped }

/** Runs a test on each engine, with an empty, migrated database. */
export const onEachEngine = (name: string, work: (t: Test, db: Database) => Promise<void>): void => {
  for (const [engine, createUrl] of Object.entries(engines)) {
    void test(`${name} (${engine})`, { skip: skips[engine] ?? false }, async (t) => {
      const url = await createUrl(t)
      const db = await openDatabase(url, '/')
      // What was last to begin is first to end: the database before its files.
      t.teardown(() => db.close())
      await db.migrate()
      await work(t, db)
    })
  }
}

/** A tenant and what it takes to add a user to it. */
export const addTenant = async (db: Database) => {
  const tenant = await db.tenants.add('Acme', 1)
  const newUser = (username: string) => ({
    tenantId: tenant.id,
    username,
    realName: username.toUpperCase(),
    userType: 2,
    passwordHash: null,
    forcePasswordChange: false,
  })
  return { tenant, newUser, addUser: (username: string, time = 1) => db.users.add(newUser(username), time) }
}
