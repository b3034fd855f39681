import { setImmediate } from 'node:timers/promises'
import { test } from 'tap'
import { createListReader, type Reader, type Steps } from '../../../db/lists/steps.js'
import { createFairLimiter } from '../../../db/lists/fair-limiter.js'
import { isProblem } from '../../../lib/problem.js'
import { createListLimits } from '../../../plugins/run/lists/list-limits.js'
import { createReadList, type ListCaller } from '../../../plugins/run/lists/read-list.js'
import { createClock } from '../../helpers/values/clock.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertAuditRows, insertLoginRows } from '../../helpers/databases/many-rows.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, signInAs } from '../../helpers/service/users.js'

const permissions = ['system:audit:list', 'system:loginlog:list', 'system:user:list']

test('long searches of all lists count together: the 121st in a minute waits for the next', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'on' } })
  await insertAuditRows(server.directory, 3000, server.clock.now())
  await insertLoginRows(server.directory, 3000, server.clock.now())
  await insertManyUsers(server.directory, 3000)
  const reader = await signInAs(server, 'reader', { permissions })
  const other = await signInAs(server, 'other', { permissions })
  const ask = (path: string, token: string, query: string) => server.call('GET', path, { token, query })
  const search = (token: string, name: string) => ask('/system/audit/page', token, `actorName=${name}`)
  for (let count = 1; count <= 60; count++) {
    t.equal(expectSuccess(t, await search(reader, `nobody-${count}`)).total, 0)
    t.equal(expectSuccess(t, await ask('/system/login-log/page', reader, `subject=nobody-${count}`)).total, 0)
  }
  server.clock.advance(20)
  for (const answer of [
    await search(reader, 'nobody-61'),
    await ask('/system/login-log/page', reader, 'subject=nobody-61'),
    await askPage(server, reader, { keyword: 'user77' }),
  ]) {
    expectProblem(t, answer, 'too_many_requests')
    t.equal(answer.headers.get('retry-after'), '40')
  }
  t.equal(expectSuccess(t, await ask('/system/audit/page', reader, 'actorName=nobody-60&pageNum=2')).current, 2)
  t.equal(expectSuccess(t, await ask('/system/audit/page', reader, 'targetId=target-4')).total, 1, 'few rows')
  t.equal(expectSuccess(t, await search(other, 'nobody-61')).total, 0)
  server.clock.advance(40)
  t.equal(expectSuccess(t, await search(reader, 'nobody-61')).total, 0)
})

test('six pages of a user wait at most, and nobody else is refused', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'on' } })
  await insertAuditRows(server.directory, 100_000, server.clock.now())
  const reader = await signInAs(server, 'reader', { permissions })
  const other = await signInAs(server, 'other', { permissions })
  const ask = (token: string) => server.call('GET', '/system/audit/page', { token, query: 'actorName=actor' })
  const [foreign, ...own] = await Promise.all([ask(other), ...Array.from({ length: 20 }, () => ask(reader))])
  const read = own.filter(({ status }) => status === 200)
  t.equal(expectSuccess(t, foreign).total, 100_000)
  t.ok(read.length >= 6 && read.length < 20, `${read.length} of 20`)
  for (const answer of own) {
    if (answer.status === 200) t.equal(answer.body.data.total, 100_000)
    else expectProblem(t, answer, 'too_many_requests')
  }
  expectSuccess(t, await ask(reader))
})

/** Reads lists whose every step takes a turn of the event loop, and notes the steps and errors. */
const start = (maxWait = 60_000) => {
  const limits = createListLimits({ listsPerMinute: Infinity, waitingPerUser: Infinity, maxWait }, createClock())
  const reader = createListReader({ runFairly: createFairLimiter(1), stepTime: 1 })
  const noted: string[] = []
  const read = async (userId: number, name: string, count: number, closed?: AbortSignal) => {
    const asker = { caller: { user: { id: userId } }, closed: closed && (() => closed) } as ListCaller
    const walk = async ({ run }: Steps) => {
      for (let step = 1; step <= count; step++)
        await run(async () => {
          noted.push(`${name}.${step}`)
          await setImmediate()
        })
    }
    await createReadList((wanted: Reader, work) => reader(wanted, work), limits)(asker, { name }, walk).catch(
      (error: unknown) => noted.push(`${name}: ${isProblem(error) ? error.code : (error as Error).message}`),
    )
  }
  return { read, noted }
}

test('users take turns with each step: a short list does not wait for the whole of a long one', async (t) => {
  const { read, noted } = start()
  await Promise.all([read(1, 'a', 4), read(1, 'b', 3), read(2, 'c', 1), read(3, 'd', 2)])
  t.same(noted, ['a.1', 'b.1', 'c.1', 'd.1', 'a.2', 'b.2', 'd.2', 'a.3', 'b.3', 'a.4'])
})

test('when the connection is closed, no further step is done', async (t) => {
  const { read, noted } = start()
  const controller = new AbortController()
  const asked = [read(1, 'a', 1000, controller.signal), read(2, 'b', 2)]
  await setImmediate()
  controller.abort()
  await Promise.all(asked)
  t.equal(noted.filter((step) => step.startsWith('a.')).length, 1)
  t.same(noted.filter((step) => !step.startsWith('a.')).toSorted(), ['a: unavailable', 'b.1', 'b.2'])
})

test('a page that takes too long ends', async (t) => {
  const { read, noted } = start(1)
  await read(1, 'a', 1_000_000)
  t.equal(noted.at(-1), 'a: The list takes too long')
  t.ok(noted.length < 100_000)
})

test('a request that may not even wait counts as no list', async (t) => {
  const limits = createListLimits({ listsPerMinute: 3, waitingPerUser: 1, maxWait: 60_000 }, createClock())
  const begin = () => limits.beginWaiting(1, new AbortController().signal)
  const refusal = () => {
    try {
      begin()
    } catch (error) {
      return isProblem(error) && error.details.retryAfter
    }
    return undefined
  }
  const { end } = begin()
  t.same([refusal(), refusal(), refusal()], [1, 1, 1])
  end()
  begin().end()
  begin().end()
  t.equal(refusal(), 60, 'the fourth list of the minute')
  t.equal(refusal(), 60, 'and it does not go on waiting')
})
