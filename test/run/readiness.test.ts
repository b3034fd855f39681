import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { onSqliteOnly } from '../helpers/databases/database.js'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { startServer, type Answer, type TestServer } from '../helpers/service/server.js'

/** Asks until the answer is `status`: where the disk is slow, an answer does not wait for the write that it began. */
const readyWith = async (server: TestServer, status: number): Promise<Answer> => {
  for (let count = 0; ; count++) {
    const answer = await server.call('GET', '/health/ready')
    if (answer.status === status || count === 1000) return answer
  }
}

test(
  'readiness is 503 while the database takes no writes, and 200 again afterwards; liveness stays 200',
  onSqliteOnly,
  async (t) => {
    const server = await startServer(t)
    const file = new Sqlite(join(server.directory, 'rollcall.db'))
    t.teardown(() => file.close())
    const ready = () => server.call('GET', '/health/ready')
    expectSuccess(t, await ready())
    file.exec("create trigger full before insert on store begin select raise(abort, 'no room'); end")
    expectSuccess(t, await ready())
    server.clock.advance(5)
    for (let count = 0; count < 3; count++) {
      const answer = await readyWith(server, 503)
      expectProblem(t, answer, 'unavailable')
      t.equal(answer.headers.get('retry-after'), '5')
      t.notMatch(answer.text, /no room/)
    }
    expectSuccess(t, await server.call('GET', '/health/live'))
    file.exec('drop trigger full')
    expectProblem(t, await ready(), 'unavailable')
    server.clock.advance(5)
    expectSuccess(t, await readyWith(server, 200))
  },
)

test('readiness is 503 while the disk has no room beside the database', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  // Stands in for a full disk: what is to be written cannot be.
  const room = join(server.directory, 'rollcall.db-room')
  mkdirSync(room)
  expectProblem(t, await readyWith(server, 503), 'unavailable')
  rmdirSync(room)
  server.clock.advance(5)
  expectSuccess(t, await readyWith(server, 200))
  t.notOk(existsSync(room), 'nothing is left behind')
})

test('a write is tested at most once in 5 s, however many ask', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const file = new Sqlite(join(server.directory, 'rollcall.db'))
  t.teardown(() => file.close())
  file.exec(`
    create table writes (moment text);
    create trigger counted before insert on store when new.key = 'write-test' begin insert into writes values ('now'); end`)
  const writes = () => file.prepare('select count(*) from writes').pluck().get()
  for (let round = 1; round <= 3; round++) {
    server.clock.advance(5)
    await Promise.all(Array.from({ length: 30 }, () => server.call('GET', '/health/ready')))
    while (Number(writes()) < round) await setTimeout(10)
    await server.call('GET', '/health/ready')
    t.equal(writes(), round)
  }
  server.clock.advance(4)
  await server.call('GET', '/health/ready')
  t.equal(writes(), 3)
})
