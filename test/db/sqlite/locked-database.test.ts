import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const credentials = { username: 'admin', password: adminPassword }

test('another process that holds the write lock delays sign-ins and nothing else', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const other = new Sqlite(join(server.directory, 'rollcall.db'))
  t.teardown(() => other.close())
  other.exec('begin immediate')
  const signIn = server.call('POST', '/auth/login', { json: credentials })
  // The lock is held: whoever waited for it would not be answered.
  for (let count = 0; count < 20; count++) {
    const health = await server.call('GET', '/health/live')
    expectSuccess(t, health)
  }
  other.exec('rollback')
  expectSuccess(t, await signIn)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: accessToken }))
})

test('a database that stays locked is answered 503 and starts no session', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const other = new Sqlite(join(server.directory, 'rollcall.db'))
  t.teardown(() => other.close())
  other.exec('begin immediate')
  const answer = await server.call('POST', '/auth/login', { json: credentials })
  expectProblem(t, answer, 'unavailable')
  t.ok(Number(answer.headers.get('retry-after')) > 0)
  other.exec('rollback')
  t.same(other.prepare('select count(*) as count from sessions').get(), { count: 0 })
})

test('reading waits for no writer, in this process or another', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const other = new Sqlite(join(server.directory, 'rollcall.db'))
  t.teardown(() => other.close())
  other.exec('begin immediate')
  const writers = [1, 2, 3].map(() => server.call('POST', '/auth/login', { json: credentials }))
  for (let count = 0; count < 3; count++) {
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    expectSuccess(t, await server.call('GET', '/system/user/page', { token }))
    expectSuccess(t, await server.call('GET', '/health/ready'))
  }
  other.exec('rollback')
  for (const answer of await Promise.all(writers)) expectSuccess(t, answer)
})
