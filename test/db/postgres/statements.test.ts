import { sql } from 'kysely'
import { test } from 'tap'
import { InvalidTextError } from '../../../db/errors.js'
import { isOutage } from '../../../db/outage.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { createUserRepository } from '../../../db/repositories/users.js'
import { addTenant } from '../../contract/engines.js'
import { createPool, isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import { openMigrated } from './open-migrated.js'

const skip = (await isPostgresThere()) ? false : skipped

test('a text with a NUL character is refused before the server sees it', { skip }, async (t) => {
  const { db } = await openMigrated(t)
  const error = await db.tenants.add('a\0b', 1).catch((fault: unknown) => fault)
  t.type(error, InvalidTextError)
  t.notOk(isOutage(error), 'the caller is at fault')
  t.strictSame(await db.tenants.list(), [])
})

test('a statement that was prepared before a migration elsewhere still runs', { skip }, async (t) => {
  const { url, db } = await openMigrated(t)
  const { tenant, addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const find = () => db.users.find(id)
  for (let round = 0; round < 20; round++) await find()
  await runSql(url, 'alter table users add column further text')
  t.match(await find(), { username: 'alice', tenantId: tenant.id })
  await runSql(url, 'alter table users add column even_further text')
  t.match(await db.transaction(({ users }) => users.find(id)), { username: 'alice' })
})

test('frequent statements are prepared by name, and those of migrations are not', { skip }, async (t) => {
  const { url } = await openMigrated(t)
  const pool = createPool(url)
  const db = createKysely(pool, createStatementNames())
  t.teardown(() => db.destroy())
  const users = createUserRepository(db)
  for (let round = 0; round < 3; round++) await users.find(round)
  await sql`select 1`.execute(db)
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  t.strictSame(
    rows.map(({ statement }) => statement),
    ['select * from "users" where "id" = $1'],
  )
})
