import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import type { Asker, Limits, UserFilter, UserOrder } from '../../../db/user-list/index.js'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { anybody, insertManyUsers } from '../../helpers/service/many-users.js'
import { startServer } from '../../helpers/service/server.js'

/** What the log of changes keeps. */
const kept = 20_000
const everybody: UserFilter = { tenantIds: [] }
const newestFirst: UserOrder[] = [{ column: 'createTime', direction: 'desc' }]
const firstPage = { current: 1, size: 10, offset: 0 }
/** Gets an answer only where no list has to be built. */
const waitsForNoList: Asker = {
  userId: 1,
  beginWaiting: () => {
    throw new Error('the list would be built')
  },
}

/** A list that a worker has built, and sign-ins that another process writes. */
const startList = async (t: Test) => {
  const server = await startServer(t)
  const file = new Sqlite(join(server.directory, 'rollcall.db'), { timeout: 5000 })
  t.teardown(() => file.close())
  const signIn = file.prepare('update users set login_count = login_count + 1 where id = 1')
  const db = await openDatabase('sqlite:rollcall.db', server.directory)
  const list = db.openUserList({ maxRowsHere: 0 })
  t.teardown(async () => {
    await list.close()
    await db.close()
  })
  const ask = (asker = anybody) => list.select(everybody, newestFirst).page(firstPage, asker)
  await ask()
  const signInOften = file.transaction((times: number) => {
    for (let count = 0; count < times; count++) signIn.run()
  })
  return { ask, signInOften }
}

test(
  'a list is kept through all the sign-ins that the log of changes holds, though nobody asks for it meanwhile',
  onSqliteOnly,
  async (t) => {
    const { ask, signInOften } = await startList(t)
    signInOften(kept - 1)
    const { users, total } = await ask(waitsForNoList)
    t.equal(total, 1)
    t.match(users, [{ loginCount: kept - 1 }])
  },
)

test('a list that has missed more changes than the log holds is built anew, and is true', onSqliteOnly, async (t) => {
  const { ask, signInOften } = await startList(t)
  // The log is shortened by 64 changes at a time.
  signInOften(kept + 64)
  await t.rejects(ask(waitsForNoList), { message: 'the list would be built' })
  t.match((await ask()).users, [{ loginCount: kept + 64 }])
})

/** A list of `count` users that a worker has built, and statements of another process. */
const startNames = async (t: Test, limits: Limits = {}, count = 100) => {
  const server = await startServer(t)
  await insertManyUsers(server.directory, count)
  const file = new Sqlite(join(server.directory, 'rollcall.db'), { timeout: 5000 })
  const db = await openDatabase('sqlite:rollcall.db', server.directory)
  const list = db.openUserList({ maxRowsHere: 0, ...limits })
  t.teardown(async () => {
    await list.close()
    await db.close()
    file.close()
  })
  const byName: UserOrder[] = [{ column: 'realName', direction: 'asc' }]
  const ask = (asker = anybody) => list.select({ tenantIds: [], userStatus: 1 }, byName).page(firstPage, asker)
  const { total } = await ask()
  t.equal(total, count + 1)
  return { ask, run: (text: string) => file.exec(text) }
}

test('a list is kept through changes of everybody that move nobody in it', onSqliteOnly, async (t) => {
  const { ask, run } = await startNames(t)
  run(`update users set remark = 'changed', gender = 1, phone = id, phone_key = id, login_count = 7`)
  const { users } = await ask(waitsForNoList)
  t.match(users[0], { remark: 'changed', loginCount: 7 })
})

test(
  'a list takes in the users who have moved, also those who move meanwhile, and is not built anew',
  onSqliteOnly,
  async (t) => {
    const { ask, run } = await startNames(t)
    run(`update users set real_name = 'A' || id, real_name_key = 'a' || id where id between 11 and 50;
    update users set user_status = 0 where id between 51 and 60; delete from users where id = 61`)
    const asked = ask(waitsForNoList)
    run(`update users set real_name = 'Z', real_name_key = 'z' where id = 12`)
    const first = await asked
    t.equal(first.total, 90)
    t.equal(first.users[0]?.id, 11)
    const { users } = await ask(waitsForNoList)
    t.strictSame(
      users.map(({ id }) => id),
      [11, 13, 14, 15, 16, 17, 18, 19, 20, 21],
    )
  },
)

test('a list in which more users have moved than it takes in is built anew, and is true', onSqliteOnly, async (t) => {
  const { ask, run } = await startNames(t, {}, 1000)
  run(`update users set real_name = 'A' || id, real_name_key = 'a' || id where id between 101 and 601`)
  await t.rejects(ask(waitsForNoList), { message: 'the list would be built' })
  t.equal((await ask()).users[0]?.id, 101)
  run(`update users set real_name = 'Z', real_name_key = 'z' where id between 101 and 600`)
  t.equal((await ask(waitsForNoList)).users[0]?.id, 601)
})
