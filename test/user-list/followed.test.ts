import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../db/index.js'
import type { UserFilter, UserOrder } from '../../db/user-list/index.js'
import { anybody } from '../helpers/many-users.js'
import { startServer } from '../helpers/server.js'

/** More than half of what the log of changes keeps. */
const manySignIns = 1500
const everybody: UserFilter = { tenantIds: [] }
const newestFirst: UserOrder[] = [{ column: 'createTime', direction: 'desc' }]
const firstPage = { current: 1, size: 10, offset: 0 }

/** A list that is made in a worker and known already, what sign-ins do to the database, and the timer of the list. */
const startList = async (t: Test) => {
  const server = await startServer(t)
  const file = new Sqlite(join(server.directory, 'rollcall.db'), { timeout: 5000 })
  t.teardown(() => file.close())
  const signIn = file.prepare('update users set login_count = login_count + 1 where id = 1')
  const db = await openDatabase('sqlite:rollcall.db', server.directory)
  let look: () => void = () => undefined
  const timers = t.capture(globalThis, 'setInterval', (work: () => void) => {
    look = work
    return setTimeout(() => undefined, 0)
  })
  const list = db.createUserList(Date.now, { fewRows: 0 })
  timers.restore()
  t.teardown(async () => {
    await list.close()
    await db.close()
  })
  const ask = () => list.page(everybody, newestFirst, firstPage, anybody)
  await ask()
  return {
    list,
    ask,
    signInOften: file.transaction(() => Array.from({ length: manySignIns }, () => signIn.run())),
    look: () => look(),
  }
}

test('a list is kept through more sign-ins than the log of changes holds, though nobody asks for it meanwhile', async (t) => {
  const { ask, signInOften, look } = await startList(t)
  for (let count = 0; count < 4; count++) {
    signInOften()
    look()
  }
  const found = ask()
  t.notOk(found instanceof Promise, 'answered from what is remembered')
  const { users, total } = await found
  t.equal(total, 1)
  t.match(users, [{ loginCount: 4 * manySignIns }])
})

test('a list that has not been followed is made anew, and is true', async (t) => {
  const { ask, signInOften } = await startList(t)
  for (let count = 0; count < 4; count++) signInOften()
  const found = ask()
  t.ok(found instanceof Promise, 'made by the worker')
  t.match((await found).users, [{ loginCount: 4 * manySignIns }])
})

test('a database that cannot be read while nobody asks ends nothing', async (t) => {
  const { list, look } = await startList(t)
  await list.close()
  t.doesNotThrow(look)
})
