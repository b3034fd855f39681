import { test, type Test } from 'tap'
import { fold } from '../../../db/fold.js'
import { openDatabase } from '../../../db/index.js'
import { readAddress } from '../../../db/postgres/address.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createPools } from '../../../db/postgres/pools.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import type { Found, ListedUser, UserFilter, UserOrder } from '../../../db/user-list/index.js'
import { createPlainUserList } from '../../helpers/databases/plain-user-list.js'
import { sortColumns } from '../../../schemas/user.js'
import { borrowMigrated } from '../../contract/engines.js'
import { connectPostgres, type Connection } from '../../helpers/databases/database.js'
import { anybody } from '../../helpers/service/many-users.js'
import { isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import { createRandom, type Random } from '../../helpers/values/random.js'
import { createRandomWrites } from '../../helpers/databases/random-writes.js'

const skip = (await isPostgresThere()) ? false : skipped

/** Two tenants, two roles and `count` users, the first of whom stays as it is. */
const fill = (url: string, count: number) =>
  runSql(
    url,
    `insert into tenants (tenant_name, tenant_name_key, enabled, create_time, update_time)
      values ('Default', 'default', 1, 1, 1), ('Acme', 'acme', 1, 1, 1)`,
    `insert into roles (tenant_id, role_key, role_name, create_time)
      select 1, 'role' || n, 'Role', 1 from generate_series(1, 2) as n`,
    `insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status, remark,
        force_password_change, login_count, last_login_time, create_time, update_time)
      select 1 + n % 2, 'User' || n % 97 || '王' || n, 'user' || n % 97 || '王' || n, 'R' || n % 7, 'r' || n % 7, n % 3, n % 3,
        n % 3, case when n % 5 > 0 then 'r' || n % 11 end, n % 2, n % 4, case when n % 3 > 0 then n % 13 end, n % 48, 1
      from generate_series(1, ${count}) as n`,
  )

const open = async (t: Test, count: number) => openOn(t, await borrowMigrated(t), count)

const openOn = async (t: Test, url: string, count: number) => {
  const db = await openDatabase(url, '/')
  await db.migrate()
  await fill(url, count)
  const list = db.openUserList()
  t.teardown(async () => {
    await list.close()
    await db.close()
  })
  // The same database, read without lists.
  const plainDb = createKysely(createPools(readAddress(url)).requests, createStatementNames())
  t.teardown(() => plainDb.destroy())
  return { url, list, plain: createPlainUserList(plainDb) }
}

interface Question {
  filter: UserFilter
  order: UserOrder[]
  page: { current: number; size: number; offset: number }
}

/** Orders that can be checked by what a page shows: not by the form in which phone numbers and addresses are compared. */
const checkable = sortColumns.filter((column) => column !== 'phone' && column !== 'email')

const randomQuestion = (random: Random): Question => {
  const columns = [...new Set(Array.from({ length: 1 + random.below(2) }, () => random.pick(checkable)))]
  const size = random.pick([1, 10, 50])
  const current = 1 + random.below(random.pick([2, 30]))
  return {
    filter: {
      tenantIds: random.chance(0.3) ? [1 + random.below(2)] : [],
      ...(random.chance(0.2) ? { username: random.pick(['user1', '王', 'R9', 'new']) } : {}),
      ...(random.chance(0.2) ? { realName: random.pick(['r', 'r3', '王']) } : {}),
      ...(random.chance(0.2) ? { userStatus: random.below(3) } : {}),
      ...(random.chance(0.1) ? { createTimeFrom: random.below(48) } : {}),
    },
    order: columns.map((column) => ({ column, direction: random.pick(['asc', 'desc']) })),
    page: { current, size, offset: (current - 1) * size },
  }
}

const keyOf = (user: ListedUser, { column }: UserOrder): string | number | null => {
  const value = user[column]
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && ['username', 'realName', 'tenantName'].includes(column) ? fold(value) : value
}

const compare = (one: string | number | null, other: string | number | null): number => {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

const comesBefore = (one: ListedUser, other: ListedUser, order: UserOrder[]): boolean => {
  for (const item of order) {
    const difference = compare(keyOf(one, item), keyOf(other, item)) * (item.direction === 'asc' ? 1 : -1)
    if (difference !== 0) return difference < 0
  }
  return order.at(-1)?.direction === 'desc' ? one.id > other.id : one.id < other.id
}

const matches = (
  user: ListedUser,
  { tenantIds, username, realName, userStatus, createTimeFrom }: UserFilter,
): boolean =>
  tenantIds.every((id) => id === user.tenantId) &&
  fold(user.username).includes(fold(username ?? '')) &&
  fold(user.realName).includes(fold(realName ?? '')) &&
  user.userStatus === (userStatus ?? user.userStatus) &&
  user.createTime >= (createTimeFrom ?? 0)

/** What is wrong with a page that was read while others wrote: rows, order and total must be of one moment. */
const faultOf = ({ users, total }: Found, { filter, order, page }: Question): string | undefined => {
  if (users.length !== Math.max(0, Math.min(page.size, total - page.offset))) return 'another number of rows'
  const stranger = users.find((user) => !matches(user, filter))
  if (stranger) return `user ${stranger.id} does not match`
  const index = users.findIndex((user, place) => place > 0 && !comesBefore(users[place - 1] ?? user, user, order))
  return index < 0 ? undefined : `user ${users[index]?.id} is in a wrong place`
}

/** Another writer has the row, or the name. */
const refusals = ['55P03', '23505']

/** Writes at random on a connection of its own, by itself or in transactions that stay open while others write. */
const createWriter = async (t: Test, url: string, random: Random) => {
  const connection: Connection = await connectPostgres(url)
  t.teardown(() => connection.close())
  // Another writer's transaction may have the row until its turn comes again.
  await connection.run(`set lock_timeout = '20ms'`)
  const writes = createRandomWrites(connection)
  let isOpen = false
  const end = async (how: 'commit' | 'rollback') => {
    if (isOpen) await connection.run(how)
    isOpen = false
  }
  const step = async (): Promise<boolean> => {
    if (!isOpen && random.chance(0.4)) {
      await connection.run('begin')
      isOpen = true
    }
    const name = random.pick(writes.names)
    try {
      // This one has a transaction of its own.
      if (name !== 'a change is taken back' || !isOpen) await writes.write(name, random)
      if (random.chance(0.3)) await end(random.chance(0.7) ? 'commit' : 'rollback')
      return true
    } catch (error) {
      if (!refusals.includes((error as { code?: string }).code ?? '')) throw error
      await end('rollback')
      return false
    }
  }
  return { step, end, isOpen: () => isOpen }
}

test('pages are exact while three writers write, also in long transactions', { skip }, async (t) => {
  const random = createRandom(20261123)
  const { url, list, plain } = await open(t, 700)
  const writers = [
    await createWriter(t, url, random),
    await createWriter(t, url, random),
    await createWriter(t, url, random),
  ]
  const questions = Array.from({ length: 25 }, () => randomQuestion(random))
  let written = 0
  let withOpen = 0
  let nonEmpty = 0
  const ask = async (question: Question) => list.select(question.filter, question.order).page(question.page, anybody)

  for (let round = 0; round < 60; round++) {
    const steps = writers.map(({ step }) => step())
    const during = Array.from({ length: 3 }, () => random.pick(questions))
    for (const [index, found] of (await Promise.all(during.map(ask))).entries()) {
      const question = during[index]
      if (question) t.equal(faultOf(found, question), undefined, JSON.stringify(question))
    }
    for (const done of await Promise.all(steps)) written += Number(done)
    // Nothing is committed from here on; what is open is not to be seen.
    withOpen += Number(writers.some(({ isOpen }) => isOpen()))
    for (let count = 0; count < 3; count++) {
      const question = random.pick(questions)
      const found = await ask(question)
      const wanted = await plain.select(question.filter, question.order).page(question.page, anybody)
      t.same(found, wanted, JSON.stringify(question))
      nonEmpty += Number(found.users.length > 0)
    }
  }
  for (const { end } of writers) await end('commit')
  for (const question of questions) {
    const wanted = await plain.select(question.filter, question.order).page(question.page, anybody)
    t.same(await ask(question), wanted, JSON.stringify(question))
  }
  t.ok(written > 90, `${written} writes`)
  t.ok(withOpen > 30, `in ${withOpen} rounds a transaction was open`)
  t.ok(nonEmpty > 60, `${nonEmpty} pages had users`)
})

test('ids of any size are in the list', { skip }, async (t) => {
  const { url, list } = await open(t, 5)
  const page = { current: 1, size: 10, offset: 0 }
  const ids = async () => {
    const filter = { tenantIds: [], username: 'user' }
    const { users } = await list.select(filter, [{ column: 'id', direction: 'asc' }]).page(page, anybody)
    const all = await list.select(filter, [{ column: 'id', direction: 'asc' }]).ids(anybody)
    t.same(
      [...all],
      users.map(({ id }) => id),
    )
    return [...all]
  }
  t.same(await ids(), [1, 2, 3, 4, 5])
  await runSql(url, 'update users set id = 2147483648 where id = 5', 'update users set id = 5000000000 where id = 4')
  t.same(await ids(), [1, 2, 3, 2_147_483_648, 5_000_000_000], 'taken in by a list that is known')
  await runSql(url, `update users set remark = 'x', id = id + 1 where id > 100`, 'truncate user_changes')
  await runSql(url, 'insert into user_changes (user_id, kind) values (0, $$account$$)')
  t.same(await ids(), [1, 2, 3, 2_147_483_649, 5_000_000_001], 'and by one that is read anew')
})

test('a list that is read anew has many parts, and one without users is empty', { skip }, async (t) => {
  const { list, plain } = await open(t, 70_000)
  const order: UserOrder[] = [
    { column: 'remark', direction: 'desc' },
    { column: 'loginCount', direction: 'asc' },
  ]
  for (const offset of [0, 65_530, 69_990, 70_000]) {
    const page = { current: 1, size: 20, offset }
    t.same(
      await list.select({ tenantIds: [] }, order).page(page, anybody),
      await plain.select({ tenantIds: [] }, order).page(page, anybody),
    )
  }
  const none = await list.select({ tenantIds: [7] }, order).page({ current: 1, size: 10, offset: 0 }, anybody)
  t.same(none, { users: [], total: 0 })
  t.same([...(await list.select({ tenantIds: [7] }, order).ids(anybody))], [])
})

test('a search has room to remember all users that it has found', { skip }, async (t) => {
  const url = await borrowMigrated(t)
  const name = new URL(url).pathname.slice(1)
  const [{ text }] = await runSql(url, `select pg_get_functiondef('user_grams'::regproc) as text`)
  t.teardown(() => runSql(url, text, `alter database "${name}" reset work_mem`, 'alter table users reset (fillfactor)'))
  await runSql(url, `alter database "${name}" set work_mem = '64kB'`, 'alter table users set (fillfactor = 10)')
  const { list } = await openOn(t, url, 20_000)
  await runSql(
    url,
    'analyze users',
    `create or replace function user_grams(username_key text, real_name_key text) returns text[] language plpgsql immutable strict
      parallel safe as $$ begin raise exception 'asked again'; end $$`,
  )
  const find = () =>
    list
      .select({ tenantIds: [], username: '77' }, [{ column: 'id', direction: 'asc' }])
      .page({ current: 1, size: 10, offset: 0 }, anybody)
  const [{ count }] = await runSql(url, `select count(*)::int from users where username_key like '%77%'`)
  t.equal((await find()).total, count, 'no user is asked again')
})

test('what has changed is read by the index, also of a log that was long', { skip }, async (t) => {
  const url = await borrowMigrated(t)
  const name = new URL(url).pathname.slice(1)
  t.teardown(() =>
    runSql(
      url,
      `alter database "${name}" reset enable_bitmapscan`,
      'alter table user_changes reset (fillfactor, autovacuum_enabled)',
    ),
  )
  // As with a log that is ten times as long.
  await runSql(url, `alter database "${name}" set enable_bitmapscan = off`)
  const { list } = await openOn(t, url, 10)
  const scans = async () => {
    const [row] = await runSql(
      url,
      `select seq_scan::int as "bySequence", idx_scan::int as "byIndex" from pg_stat_user_tables where relname = 'user_changes'`,
    )
    return row as { bySequence: number; byIndex: number }
  }
  const page = () =>
    list
      .select({ tenantIds: [] }, [{ column: 'id', direction: 'asc' }])
      .page({ current: 1, size: 10, offset: 0 }, anybody)
  // Rows that were deleted leave as much room between the others.
  await runSql(
    url,
    'alter table user_changes set (fillfactor = 10, autovacuum_enabled = off)',
    // Room that was given back is filled in any order.
    `insert into user_changes (xid, user_id, kind)
      select (3 + n * 7919 % 700)::text::xid8, n, 'account' from generate_series(1, 100000) as n`,
    'analyze user_changes',
  )
  await page()
  const before = await scans()
  // The server tells of scans about once a second.
  for (const end = Date.now() + 20_000; (await scans()).byIndex < before.byIndex + 20 && Date.now() < end;) await page()
  const after = await scans()
  t.ok(after.byIndex > before.byIndex, `${after.byIndex - before.byIndex} by the index`)
  t.equal(after.bySequence, before.bySequence)
})
