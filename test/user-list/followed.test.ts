import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../db/index.js'
import type { UserFilter, UserOrder } from '../../db/user-list/index.js'
import { onSqliteOnly } from '../helpers/database.js'
import { anybody } from '../helpers/many-users.js'
import { startServer } from '../helpers/server.js'

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
  const list = db.createUserList({ maxRowsHere: 0 })
  t.teardown(async () => {
    await list.close()
    await db.close()
  })
  const ask = () => list.page(everybody, newestFirst, firstPage, anybody)
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
  signInOften(kept + 1)
  const found = ask()
  t.ok(found instanceof Promise, 'built by the worker')
  t.match((await found).users, [{ loginCount: kept + 1 }])
})
