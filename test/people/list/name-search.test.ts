import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { fold } from '../../../db/fold.js'
import type { Limits, UserFilter, UserOrder } from '../../../db/user-list/index.js'
import { connect, isOnPostgres, onSqliteOnly } from '../../helpers/databases/database.js'
import { anybody, insertManyUsers } from '../../helpers/service/many-users.js'
import { createRandom, type Random } from '../../helpers/values/random.js'
import { startServer } from '../../helpers/service/server.js'

const characters = [...'aAbBzß İıéöＷ王王小明欧阳𠮷😀👩‍👧Эд%_\\"\'*-()0', 'e\u0301', '\u0301', 'OR', 'AND', 'u6161']
const word = (random: Random, max: number) =>
  Array.from({ length: 1 + random.below(max) }, () => random.pick(characters)).join('')
/** Part of a text, or another one. */
const searchFor = (random: Random, text: string) => {
  const points = [...text]
  const start = random.below(points.length)
  return random.chance(0.8) ? points.slice(start, start + 1 + random.below(5)).join('') : word(random, 3)
}

/** Every list is made by the worker. */
const inWorker: Limits = { maxRowsHere: 0, maxUsersSearchedHere: 0, listMemory: 1 }
/** Searches are answered from the index of names and the list of all users. */
const onMainThread: Limits = { maxRowsHere: 0 }

const order: UserOrder[] = [{ column: 'id', direction: 'asc' }]

/** A database with names in it, and other writers of that database. */
const start = async (t: Test, limits: Limits) => {
  const server = await startServer(t)
  const db = await openDatabase(server.databaseUrl, server.directory)
  const list = db.openUserList(limits)
  const { run, all, transaction, close } = await connect(server.directory)
  t.teardown(async () => {
    await close()
    await list.close()
    await db.close()
  })
  const add = async (name: string, realName: string) => {
    await run('delete from users where tenant_id = 1 and username_key = ?', fold(name))
    await run(
      `insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
        force_password_change, create_time, update_time) values (1, ?, ?, ?, ?, 2, 0, 1, 0, 0, 0)`,
      ...[name, fold(name), realName, fold(realName)],
    )
  }
  const idsOf = async (filter: Omit<UserFilter, 'tenantIds'>) => {
    const page = { current: 1, size: 1000, offset: 0 }
    // All that is asked in one turn of the event loop is answered from one snapshot; a request always comes in a later turn.
    await setImmediate()
    // The list of all users is in memory after this.
    await list.select({ tenantIds: [] }, order).page(page, anybody)
    const { users, total } = await list.select({ tenantIds: [], ...filter }, order).page(page, anybody)
    t.equal(users.length, total)
    return users.map(({ id }) => id)
  }
  const rows = () =>
    all<{ id: number; name: string; realName: string }>(
      'select id, username_key as name, real_name_key as "realName" from users order by id',
    )
  return { db, list, run, all, transaction, add, idsOf, rows }
}

const findWhatWasWritten = async (t: Test, limits: Limits) => {
  const random = createRandom(20261100)
  const { db, run, add, idsOf, rows } = await start(t, limits)
  for (let index = 0; index < 200; index++) await add(`${word(random, 4)}${index}`, word(random, 6))
  const write: ((id: number) => unknown)[] = [
    () => add(`${word(random, 4)}x${random.below(1e9)}`, word(random, 6)),
    (id: number) => run('delete from users where id = ?', id),
    (id: number) => {
      const name = word(random, 5)
      return run('update users set real_name = ?, real_name_key = ? where id = ?', name, fold(name), id)
    },
    // Only in the file can somebody change an id, or write a key that is not folded.
    ...(isOnPostgres
      ? []
      : [
          (id: number) => run('update users set id = (select max(id) from users) + 1 where id = ?', id),
          (id: number) => run('update users set username_key = upper(username_key) where id = ?', id),
        ]),
    () => db.indexNames(),
  ]
  for (let round = 0; round < 300; round++) {
    const users = await rows()
    await Promise.resolve(random.pick(write)(random.pick(users.filter(({ id }) => id > 1)).id))
    const now = await rows()
    const some = random.pick(now)
    const [username, realName] = [searchFor(random, some.name), searchFor(random, some.realName)]
    const has = (text: string, part: string) => text.toLowerCase().includes(fold(part))
    const filters: [Omit<UserFilter, 'tenantIds'>, (user: (typeof now)[0]) => boolean][] = [
      [{ username }, ({ name }) => has(name, username)],
      [{ realName }, (user) => has(user.realName, realName)],
      [{ keyword: realName }, (user) => has(user.name, realName) || has(user.realName, realName)],
      [{ username, realName }, (user) => has(user.name, username) && has(user.realName, realName)],
    ]
    for (const [filter, isFound] of filters) {
      const expected = now.filter(isFound).map(({ id }) => id)
      t.same(await idsOf(filter), expected, JSON.stringify(filter))
    }
  }
}

test('searches find whoever has the text in a name, whatever was written by whomever', async (t) => {
  await t.test('in the worker', (t) => findWhatWasWritten(t, inWorker))
  await t.test('on the main thread', (t) => findWhatWasWritten(t, onMainThread))
})

test('wildcards and words of the query language are letters like others', async (t) => {
  const { db, add, idsOf } = await start(t, onMainThread)
  await add('100%', 'a AND b')
  await add('100x', 'a_b')
  await add('a*b', '"quoted" (x)')
  for (const isIndexed of [false, true]) {
    if (isIndexed) await db.indexNames()
    for (const [text, count] of Object.entries({
      '0%': 1,
      '%': 1,
      _: 1,
      a_b: 1,
      '*': 1,
      AND: 1,
      '"': 1,
      '(x)': 1,
      '\\': 0,
    })) {
      t.equal((await idsOf({ keyword: text })).length, count, text)
    }
  }
})

test('searches that come at once are made in turns of the event loop, one in each', onSqliteOnly, async (t) => {
  const { list, add } = await start(t, onMainThread)
  const names = ['anna', 'bert', 'carl']
  for (const name of names) await add(name, 'x')
  const page = { current: 1, size: 10, offset: 0 }
  await setImmediate()
  await list.select({ tenantIds: [] }, order).page(page, anybody)
  await setImmediate()
  const counted = { turns: 0, isOver: false }
  const counting = (async () => {
    for (; !counted.isOver; counted.turns++) await setImmediate()
  })()
  const turns: number[] = []
  const answers = names.map(async (username) => {
    const { users } = await list.select({ tenantIds: [], username }, order).page(page, anybody)
    turns.push(counted.turns)
    return users.map((user) => user.username).join()
  })
  t.same(await Promise.all(answers), names)
  counted.isOver = true
  await counting
  t.equal(new Set(turns).size, names.length, 'each in another turn')
})

test('the migration indexes the names that are there, and says how far it has come', onSqliteOnly, async (t) => {
  const directory = t.testdir()
  const db = await openDatabase('sqlite:rollcall.db', directory)
  await db.migrate({ last: '0013-imports' })
  await db.tenants.add('Acme', 0)
  await insertManyUsers(directory, 60_000)
  const steps: [what: string, done: number, total: number][] = []
  await db.migrate({ progress: (...step) => steps.push(step) })
  // An index of names, and another one with their places.
  t.same(steps, [
    ['Names', 50_000, 60_000],
    ['Names', 60_000, 60_000],
    ['Names', 50_000, 60_000],
    ['Names', 60_000, 60_000],
  ])
  const list = db.openUserList()
  const page = { current: 1, size: 10, offset: 0 }
  const { total } = await list
    .select({ tenantIds: [], keyword: 'r5999' }, [{ column: 'id', direction: 'asc' }])
    .page(page, anybody)
  t.equal(total, 11)
  await list.close()
  await db.close()
})

test('names are indexed while the service runs', onSqliteOnly, async (t) => {
  const { all, add, idsOf } = await start(t, { ...inWorker, indexInterval: 5 })
  for (let index = 0; index < 700; index++) await add(`user${index}`, '王小明')
  const count = async (rows: string) =>
    (await all<{ count: number }>(`select count(*) as count from ${rows}`))[0]?.count ?? 0
  while ((await count('user_name_changes')) >= 100) await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal((await idsOf({ keyword: '小明' })).length, 700)
  t.ok((await count(`user_grams where user_grams match 'r*'`)) > 600)
})

test('the parts of the index are merged while the service runs', onSqliteOnly, async (t) => {
  t.setTimeout(60_000)
  const { all, add, idsOf } = await start(t, { ...inWorker, indexInterval: 5 })
  const parts = async () =>
    (await all<{ parts: number }>('select count(distinct segid) as parts from user_grams_idx'))[0]?.parts ?? 0
  const until = async (isSo: (count: number) => boolean) => {
    while (!isSo(await parts())) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  for (let index = 0; index < 300; index++) await add(`user${index}`, '王小明')
  await until((count) => count === 1)
  // These delete names that are in the index.
  for (let index = 0; index < 150; index++) await add(`user${index}`, '王小红')
  await until((count) => count > 1)
  await add('user150', '王小红')
  await until((count) => count === 1)
  t.equal((await idsOf({ keyword: '小明' })).length, 149)
  t.equal((await idsOf({ keyword: '小红' })).length, 151)
})

test('what was taken back is not found, and a long text finds nobody', async (t) => {
  const { transaction, add, idsOf } = await start(t, inWorker)
  const undone = transaction(async () => {
    await add('gone', 'gone')
    throw new Error('taken back')
  })
  await t.rejects(undone, { message: 'taken back' })
  t.same(await idsOf({ keyword: 'gone' }), [])
  t.same(await idsOf({ keyword: 'a'.repeat(200) }), [])
})
