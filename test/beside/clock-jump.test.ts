import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { emptyDirectory } from '../helpers/processes/child.js'
import { connect } from '../helpers/databases/database.js'
import { root } from '../helpers/processes/project.js'
import { startServer, type TestServer } from '../helpers/service/server.js'

const hour = 3600
const day = 24 * hour
const jump = 400 * day

const minutesLater = async (server: TestServer, minutes: number): Promise<number> => {
  let deleted = 0
  for (let minute = 0; minute < minutes; minute++) {
    server.clock.advance(60)
    deleted += await server.app.housekeeping.run()
  }
  return deleted
}

const told = (server: TestServer) =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('Nothing old is deleted'))

/** What may be deleted for its age. */
const kept = async (directory: string) => {
  const database = await connect(directory)
  const count = async (table: string): Promise<number> =>
    (await database.all<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count ?? NaN
  const counts = { sessions: await count('sessions'), log: await count('login_log') }
  await database.close()
  return counts
}

const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  await server.call('POST', '/auth/login', { json: { username: 'nobody', password: 'x' } })
  await minutesLater(server, 1)
  return { server, status: async () => (await server.call('GET', '/auth/userInfo', { token })).status }
}

test('a clock that is 400 days ahead for a minute deletes nothing, and whoever was signed in still is', async (t) => {
  const { server, status } = await start(t)
  server.clock.advance(jump)
  t.equal(await minutesLater(server, 1), 0)
  t.strictSame(await kept(server.directory), { sessions: 1, log: 2 })
  server.clock.advance(-jump)
  // What lives for minutes only may go in these.
  await minutesLater(server, 10)
  t.strictSame(await kept(server.directory), { sessions: 1, log: 2 })
  t.equal(await status(), 200)
  const [there, back, ...more] = told(server)
  t.match(there, /The clock says 2027-\S+Z, the last known time is 2026-/)
  t.match(back, /The clock says 2026-\S+Z, the last known time is 2027-/)
  t.strictSame(more, [], 'each move is told once')
})

test('a clock that was wrong and is set right goes on deleting after an hour, without a command', async (t) => {
  const { server } = await start(t)
  for (const wrong of [jump, -jump]) {
    server.clock.advance(wrong)
    t.equal(await minutesLater(server, 30), 0)
    await server.signIn()
    server.clock.advance(-wrong)
    t.equal(await minutesLater(server, 59), 0)
  }
  t.ok((await minutesLater(server, 2)) > 0)
  t.equal(told(server).length, 4)
})

test('a move of more than a day is believed after an hour without another one', async (t) => {
  const { server } = await start(t)
  server.clock.advance(jump)
  t.equal(await minutesLater(server, 50), 0)
  server.clock.advance(6 * day)
  t.equal(await minutesLater(server, 60), 0, 'the second one begins the hour anew')
  t.strictSame(await kept(server.directory), { sessions: 1, log: 2 })
  t.ok((await minutesLater(server, 2)) >= 3)
  t.strictSame(await kept(server.directory), { sessions: 0, log: 0 })
  t.equal(told(server).length, 2)
})

test('after a long weekend nothing is said of the clock, and nothing is deleted for an hour all the same', async (t) => {
  const { server } = await start(t)
  const data = emptyDirectory(t)
  cpSync(server.directory, data, { recursive: true })
  // A machine that slept, and one that was off.
  server.clock.advance(4 * day)
  const next = await startServer(t, { data, time: server.clock.now() })
  for (const one of [server, next]) {
    t.equal(await minutesLater(one, 30), 0)
    t.strictSame(told(one), [])
    t.ok((await minutesLater(one, 31)) > 0)
    one.clock.advance(-2 * day)
    await minutesLater(one, 1)
    t.equal(told(one).length, 1, 'a clock that goes back is doubted')
  }
})

test('a move of a day is believed at once', async (t) => {
  const { server } = await start(t)
  server.clock.advance(day - 60)
  t.ok((await minutesLater(server, 1)) > 0)
  t.equal(told(server).length, 0)
})

test('a clock that is behind at the start deletes nothing, and nothing either when it is set right', async (t) => {
  const { server } = await start(t)
  const data = emptyDirectory(t)
  cpSync(server.directory, data, { recursive: true })
  const next = await startServer(t, { data, time: server.clock.now() - jump * 1000 })
  t.equal(await minutesLater(next, 2), 0)
  next.clock.advance(jump)
  t.equal(await minutesLater(next, 10), 0)
  t.strictSame(await kept(next.directory), { sessions: 1, log: 2 })
  t.equal(told(next).length, 1)
})

test('a restart with a clock that is ahead deletes nothing, whatever was written meanwhile', async (t) => {
  const { server } = await start(t)
  server.clock.advance(jump)
  await minutesLater(server, 1)
  await server.signIn()
  const data = emptyDirectory(t)
  cpSync(server.directory, data, { recursive: true })
  const next = await startServer(t, { data, time: server.clock.now() })
  t.equal(await minutesLater(next, 59), 0)
  t.strictSame(await kept(next.directory), { sessions: 2, log: 3 })
  t.equal(told(next).length, 1)
  const back = await startServer(t, { data, time: server.clock.now() - jump * 1000 })
  await minutesLater(back, 1)
  t.strictSame(await kept(back.directory), await kept(data))
  t.equal(told(back).length, 0, 'rows of a later time tell nothing against the right one')
})

test('a start after a stop of days deletes after an hour, and says so', async (t) => {
  const { server } = await start(t)
  const time = server.clock.now() + 400 * day * 1000
  const next = await startServer(t, { data: server.directory, time })
  t.equal(await minutesLater(next, 59), 0)
  t.ok((await minutesLater(next, 2)) >= 3)
  t.strictSame(await kept(next.directory), { sessions: 0, log: 0 })
  t.equal(told(next).length, 1)
})

test('a data directory of the version before, opened far in its future, loses nothing in the first hour', async (t) => {
  const data = join(root, 'test/fixtures/data-0.1.0')
  const server = await startServer(t, { data, time: Date.UTC(2033, 0) })
  const before = await kept(server.directory)
  t.ok(before.sessions > 0 && before.log > 0)
  t.equal(await minutesLater(server, 59), 0)
  t.strictSame(await kept(server.directory), before)
})
