import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import type { UserFilter, UserOrder } from '../../../db/user-list/index.js'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { anybody } from '../../helpers/service/many-users.js'
import { watchEventLoop } from '../../helpers/load/event-loop.js'
import { startServer } from '../../helpers/service/server.js'

/** Milliseconds. */
const longestHold = 20
/** A host may take all of the machine for a while; nobody is that unlucky every time. */
const tries = 10
const count = 150_000

const insertMany = (path: string) => {
  const file = new Sqlite(path)
  file.pragma('synchronous = off')
  file.exec(`
    with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})
    insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
      force_password_change, create_time, update_time)
    select 1, 'user' || n, 'user' || n, '王' || n % 977, '王' || n % 977, 2, n % 3, 1, 0, n * 7919 % 1000003, n
    from number`)
  file.close()
}

const byAge: UserOrder[] = [{ column: 'createTime', direction: 'desc' }]
const everybody: UserFilter = { tenantIds: [] }
const questions: [sentence: string, filter: UserFilter, order: UserOrder[], total: number][] = [
  ['everybody', everybody, byAge, count + 1],
  ['everybody, by a column without an index', everybody, [{ column: 'realName', direction: 'asc' }], count + 1],
  ['everybody, by the name of the tenant', everybody, [{ column: 'tenantName', direction: 'asc' }], count + 1],
  ['a keyword that nobody has', { tenantIds: [], keyword: 'nobody' }, byAge, 0],
  ['a keyword that nearly everybody has', { tenantIds: [], keyword: 'user' }, byAge, count],
  ['a range of creation times', { tenantIds: [], createTimeFrom: 1000 }, byAge, NaN],
]

test('no question about many users holds the event loop', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const path = join(server.directory, 'rollcall.db')
  insertMany(path)
  const db = await openDatabase('sqlite:rollcall.db', server.directory)
  t.teardown(() => db.close())

  // Nothing is remembered, so that every question is asked for the first time.
  const list = db.openUserList({ listMemory: 1 })
  t.teardown(() => list.close())

  /** Asks for the last page; resolves to the longest hold on the way and the total. */
  const ask = async (filter: UserFilter, order: UserOrder[]) => {
    const longestHold = watchEventLoop()
    await setTimeout(5)
    const { total } = await list.select(filter, order).page({ current: 14_999, size: 10, offset: 149_980 }, anybody)
    await setTimeout(5)
    return { total, hold: longestHold() }
  }
  for (const [sentence, filter, order, total] of questions) {
    await t.test(sentence, async (t) => {
      let shortest = Infinity
      for (let count = 0; count < tries && shortest > longestHold; count++) {
        const answer = await ask(filter, order)
        if (!Number.isNaN(total)) t.equal(answer.total, total)
        shortest = Math.min(shortest, answer.hold)
      }
      t.ok(shortest <= longestHold, `held for ${shortest.toFixed(1)} ms`)
    })
  }
})
