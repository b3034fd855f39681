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
  const ask = () => list.select(everybody, newestFirst).page(firstPage, anybody)
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
    const found = ask()
    t.notOk(found instanceof Promise, 'answered from the list in memory')
    const { users, total } = await found
    t.equal(total, 1)
    t.match(users, [{ loginCount: kept - 1 }])
  },
)

test('a list that has missed more changes than the log holds is built anew, and is true', onSqliteOnly, async (t) => {
  const { ask, signInOften } = await startList(t)
  // The log is shortened by 64 changes at a time.
  signInOften(kept + 64)
  const found = ask()
  t.ok(found instanceof Promise, 'built by the worker')
  t.match((await found).users, [{ loginCount: kept + 64 }])
})

/** A list of a hundred users that a worker has built, and statements of another process. */
const startNames = async (t: Test, limits: Limits = {}) => {
  const server = await startServer(t)
  await insertManyUsers(server.directory, 100)
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
  t.equal(total, 101)
  return { ask, run: (text: string) => file.exec(text) }
}

test('a list needs no time for changes that move nobody in it', onSqliteOnly, async (t) => {
  const { ask, run } = await startNames(t, { catchUpTime: -1 })
  run(`update users set remark = 'changed', gender = 1, phone = id, phone_key = id, login_count = 7`)
  const found = ask()
  t.notOk(found instanceof Promise, 'answered from the list in memory')
  t.match((await found).users[0], { remark: 'changed', loginCount: 7 })
})

test('a list that takes in its changes in many turns of the event loop is not built anew', onSqliteOnly, async (t) => {
  const { ask, run } = await startNames(t, { catchUpTime: -1 })
  const waitsForNoThread: Asker = {
    userId: 1,
    beginWaiting: () => {
      throw new Error('the list would be built')
    },
  }
  run(`update users set real_name = 'A' || id, real_name_key = 'a' || id where id between 11 and 20;
    update users set user_status = 0 where id between 21 and 30; delete from users where id = 31`)
  const found = ask(waitsForNoThread)
  t.ok(found instanceof Promise, 'not in this turn')
  // While it goes on.
  run(`update users set real_name = 'Z', real_name_key = 'z' where id = 12`)
  const { users, total } = await found
  t.equal(total, 90)
  t.strictSame(
    users.map(({ id }) => id),
    [11, 13, 14, 15, 16, 17, 18, 19, 20].concat(users[9]?.id ?? 0),
  )
  t.notMatch(users[9]?.realName, /^A\d/)
})
