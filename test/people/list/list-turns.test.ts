import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import type { UserOrder } from '../../../db/user-list/index.js'
import { createListLimits, type ListLimits } from '../../../plugins/run/lists/list-limits.js'
import { isProblem } from '../../../lib/problem.js'
import { sortColumns } from '../../../schemas/user.js'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { createClock } from '../../helpers/values/clock.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, signInAs } from '../../helpers/service/users.js'

const byId: UserOrder[] = [{ column: 'id', direction: 'asc' }]
const page = { current: 1, size: 10, offset: 0 }
const permissions = ['system:user:*']

interface Question {
  signal?: AbortSignal
  order?: UserOrder[]
}

const hangUp = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** A list whose every answer is made by the worker thread, and what has been answered so far, in that order. */
const startList = async (t: Test, limits: Partial<ListLimits>, count = 0) => {
  const server = await startServer(t)
  if (count > 0) await insertManyUsers(server.directory, count)
  const clock = createClock()
  const db = await openDatabase('sqlite:rollcall.db', server.directory)
  const list = db.openUserList({ maxRowsHere: 0 })
  const noLimits = { listsPerMinute: Infinity, waitingPerUser: Infinity, maxWait: 60_000 }
  const { beginWaiting } = createListLimits({ ...noLimits, ...limits }, clock)
  t.teardown(async () => {
    await list.close()
    await db.close()
  })
  const answered: string[] = []
  /** Asks for the users whose name contains `keyword`; resolves when the answer or the error has been noted. */
  const ask = async (userId: number, keyword: string, { signal, order = byId }: Question = {}) => {
    try {
      const asker = { userId, beginWaiting: () => beginWaiting(userId, signal ?? new AbortController().signal) }
      await list.select({ tenantIds: [], keyword }, order).page(page, asker)
      answered.push(keyword)
    } catch (error) {
      answered.push(`${keyword}: ${isProblem(error) ? error.code : (error as Error).message}`)
    }
  }
  return { ask, answered, clock, list }
}

test('users take turns: whoever asks for many lists waits for them, and nobody else does', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, {})
  const first = ['a1', 'a2', 'a3', 'a4', 'a5'].map((keyword) => ask(1, keyword))
  await Promise.all([...first, ask(2, 'b1'), ask(2, 'b2'), ask(3, 'c1')])
  t.same(answered, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5'])
})

test('who waits for a list that another one gets has it at the own turn', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, {})
  await Promise.all([ask(1, 'a1'), ask(1, 'a2'), ask(1, 'same'), ask(2, 'same'), ask(3, 'c1')])
  t.same(answered, ['a1', 'a2', 'same', 'c1', 'same'])
})

test('a few requests of a user may wait; more are refused, and those of others are not', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, { waitingPerUser: 3 })
  await Promise.all([ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(1, 'a4'), ask(2, 'b1'), ask(1, 'a5')])
  const tooMany = 'too_many_requests'
  t.same(answered, [`a4: ${tooMany}`, `a5: ${tooMany}`, 'a1', 'a2', 'b1', 'a3'])
  await ask(1, 'a6')
  t.equal(answered.at(-1), 'a6', 'once they are made, there is room')
})

test('a closed connection leaves the queue, and its list is not made', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, { waitingPerUser: 3 })
  const { signal, abort } = hangUp()
  const asked = [ask(1, 'a1'), ask(1, 'a2', { signal }), ask(1, 'a3')]
  abort()
  await Promise.resolve()
  t.same(answered, [])
  await Promise.all([...asked, ask(2, 'b1')])
  t.same(answered, ['a2: unavailable', 'a1', 'a3', 'b1'])
})

test('for a connection that was closed before no list is made', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, {})
  const { signal, abort } = hangUp()
  abort()
  await ask(1, 'a1', { signal })
  t.same(answered, ['a1: unavailable'])
})

test('a list that nobody waits for any more is stopped', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, {}, 100_000)
  const byMany = sortColumns.map((column): UserOrder => ({ column, direction: 'asc' }))
  const timeOf = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const { signal, abort } = hangUp()
  const whole = await timeOf(() => Promise.all([ask(1, 'user', { order: byMany.toReversed() }), ask(2, 'user77')]))
  const stopped = await timeOf(() => {
    const asked = [ask(1, 'user', { signal, order: byMany }), ask(2, 'user78')]
    // When it has come so far, the worker thread has begun.
    setImmediate(abort)
    return Promise.all(asked)
  })
  const next = await timeOf(() => ask(2, 'user79'))
  t.same(answered, ['user', 'user77', 'user: unavailable', 'user78', 'user79'])
  const times = [whole, stopped, next].map((time) => time.toFixed(0)).join()
  t.ok(stopped < (whole + next) / 2, times)
})

test('a request waits for so long and no longer; the next is served', onSqliteOnly, async (t) => {
  const { ask, answered } = await startList(t, { maxWait: 1 }, 100_000)
  await Promise.all([ask(1, 'a1'), ask(1, 'a2')])
  t.same(
    answered.toSorted(),
    ['a1', 'a2'].map((keyword) => `${keyword}: The list takes too long`),
  )
})

test(
  'a user has so many lists made in a minute; another user and the next minute are free',
  onSqliteOnly,
  async (t) => {
    const { ask, answered, clock } = await startList(t, { listsPerMinute: 2 })
    for (const keyword of ['a1', 'a2', 'a2', 'a3']) await ask(1, keyword)
    await ask(2, 'b1')
    t.same(answered, ['a1', 'a2', 'a2', 'a3: too_many_requests', 'b1'])
    clock.advance(60)
    await ask(1, 'a4')
    t.equal(answered.at(-1), 'a4')
  },
)

test('over HTTP too: the 121st new search in a minute waits for the next, what is known does not', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'on' } })
  await insertManyUsers(server.directory, 3000)
  const token = await signInAs(server, 'reader', { permissions })
  const other = await signInAs(server, 'other', { permissions })
  for (let count = 1; count <= 120; count++) expectSuccess(t, await askPage(server, token, { keyword: `user${count}` }))
  server.clock.advance(20)
  const refused = await askPage(server, token, { keyword: 'user121' })
  expectProblem(t, refused, 'too_many_requests')
  t.equal(refused.headers.get('retry-after'), '40')
  expectSuccess(t, await askPage(server, token, { keyword: 'user120', pageNum: 2 }))
  expectSuccess(t, await askPage(server, other, { keyword: 'user121' }))
  server.clock.advance(40)
  expectSuccess(t, await askPage(server, token, { keyword: 'user122' }))
})

test('at most three columns sort', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  expectSuccess(t, await askPage(server, token, 'orderByColumn=gender,userType,id'))
  const answer = await askPage(server, token, 'orderByColumn=gender,userType,username,id')
  expectProblem(t, answer, 'invalid_request', ['orderByColumn'])
  t.equal(answer.body.data.violations[0].message, 'must name at most 3 columns')
})
