import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { emptyDirectory, installedDirectory } from '../../helpers/processes/child.js'
import { createCli } from '../../helpers/processes/cli.js'
import { connect } from '../../helpers/databases/database.js'
import { root } from '../../helpers/processes/project.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const hour = 3600
const jump = 400 * 24 * hour

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
    .filter((line) => line.includes('was expected'))

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
  server.clock.jump(jump)
  t.equal(await minutesLater(server, 1), 0)
  t.strictSame(await kept(server.directory), { sessions: 1, log: 2 })
  server.clock.jump(-jump)
  // What lives for minutes only may go in these.
  await minutesLater(server, 10)
  t.strictSame(await kept(server.directory), { sessions: 1, log: 2 })
  t.equal(await status(), 200)
  t.equal(told(server).length, 1, 'told once')
  t.match(told(server)[0], /The clock says 2027-\S+Z, but 2026-\S+Z was expected/)
})

test('a jump is believed after an hour without another one', async (t) => {
  const { server } = await start(t)
  server.clock.jump(jump)
  t.equal(await minutesLater(server, 50), 0)
  server.clock.jump(hour)
  t.equal(await minutesLater(server, 60), 0, 'the second jump begins the hour anew')
  t.strictSame(await kept(server.directory), { sessions: 1, log: 2 })
  t.ok((await minutesLater(server, 2)) >= 3)
  t.strictSame(await kept(server.directory), { sessions: 0, log: 0 })
  t.equal(told(server).length, 2)
})

test('a clock set back by an hour deletes nothing either until it is believed, and one that is set by a minute is believed', async (t) => {
  const { server } = await start(t)
  server.clock.jump(-hour)
  t.equal(await minutesLater(server, 2), 0)
  t.equal(told(server).length, 1)
  server.clock.jump(hour + 60)
  server.clock.advance(jump)
  t.ok((await minutesLater(server, 1)) >= 3, 'time that has really passed makes things old')
  t.equal(told(server).length, 1)
})

test('a restart with a clock that is ahead deletes nothing, whatever was written meanwhile', async (t) => {
  const { server } = await start(t)
  server.clock.jump(jump)
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
  t.equal(told(back).length, 0, 'the right time agrees with the database')
})

test('a data directory of the version before, opened far in its future, loses nothing in the first hour', async (t) => {
  const data = join(root, 'test/fixtures/data-0.1.0')
  const server = await startServer(t, { data, time: Date.UTC(2033, 0) })
  const before = await kept(server.directory)
  t.ok(before.sessions > 0 && before.log > 0)
  t.equal(await minutesLater(server, 59), 0)
  t.strictSame(await kept(server.directory), before)
})

test('an operator says that the clock is right, and the running server believes it', async (t) => {
  const { json, done, directory } = await createCli(t)
  const server = await startServer(t, { data: await installedDirectory(t), time: Date.now() - jump * 1000 })
  await server.signIn()
  t.equal(await minutesLater(server, 1), 0)
  server.clock.jump(jump)
  t.equal(await minutesLater(server, 1), 0)
  t.match(await done('clock confirm'), /^The time \S+Z is confirmed; running servers accept it within a minute\.\n$/)
  t.equal(await minutesLater(server, 1), 0, 'said of another database')
  t.equal(directory === server.directory, false)
  const { code } = await createCli(t).then(({ run }) =>
    run('clock confirm', { environment: { DATA_DIR: server.directory } }),
  )
  t.equal(code, 0)
  t.ok((await minutesLater(server, 1)) >= 1)
  t.strictSame(await kept(server.directory), { sessions: 0, log: 0 })
  t.match(await json('clock confirm'), { time: /Z$/ })
})
