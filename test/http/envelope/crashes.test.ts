import Sqlite from 'better-sqlite3'
import type { FastifyInstance } from 'fastify'
import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

const secret = 'hunter2-of-the-database'

/** The lines of the log, read. */
const readLog = (log: string): any[] =>
  log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** A route for everybody that does nothing but fail. */
const addFailing = (app: FastifyInstance, path: string, crash: () => unknown) =>
  app.get(path, { config: { access: 'open' }, schema: { querystring: { type: 'object' } } }, async () => crash())

/** Throws anything, also what is no error. */
const throwing = (thrown: unknown) => () => {
  throw thrown
}
const errorWith = (properties: object) => Object.assign(new Error(secret), properties)
const sqliteError = (code: string) => new Sqlite.SqliteError(`${secret}: select * from users`, code)

const circular: Record<string, unknown> = {}
circular['self'] = circular

test('a handler that crashes shows nothing of why, and the log shows the cause with the request id', async (t) => {
  const rows: [sentence: string, crash: () => unknown, logged: string | RegExp][] = [
    ['an error', throwing(new Error(secret)), secret],
    ['a fault of the program', () => (undefined as unknown as { x: string }).x, 'TypeError'],
    ['an error with a cause', throwing(new Error('outer', { cause: new Error(secret) })), secret],
    ['an error with a status of success', throwing(errorWith({ statusCode: 200 })), secret],
    ['an error with a status of nonsense', throwing(errorWith({ statusCode: 'teapot', code: 12 })), secret],
    ['an error with headers', throwing(errorWith({ headers: { 'x-secret': secret } })), secret],
    ['an error that serialises itself', throwing(errorWith({ toJSON: () => ({ secret }) })), secret],
    ['an error named as a reason', throwing(errorWith({ code: 'invalid_credentials' })), secret],
    ['several errors', throwing(new AggregateError([new Error(secret)], secret)), secret],
    ['a missing table', throwing(sqliteError('SQLITE_ERROR')), secret],
    ['a broken constraint', throwing(sqliteError('SQLITE_CONSTRAINT_UNIQUE')), secret],
    ['an answer that cannot be written', () => circular, /circular/i],
    ['a text instead of an error', throwing(secret), secret],
    ['an object instead of an error', throwing({ secret }), secret],
    ['null instead of an error', throwing(null), 'request failed'],
    ['nothing instead of an error', throwing(undefined), 'request failed'],
  ]
  const server = await startServer(t, {
    extend: (app) => {
      for (const [index, [, crash]] of rows.entries()) addFailing(app, `/crash/${index}`, crash)
    },
  })
  for (const [index, [sentence, , cause]] of rows.entries()) {
    await t.test(sentence, async (t) => {
      const path = `/crash/${index}`
      const answer = await server.call('GET', path)
      t.match(answer.headers.get('content-type'), /json/)
      t.notMatch(answer.text, secret)
      t.notMatch(JSON.stringify([...answer.headers]), secret)
      expectProblem(t, answer, 'internal_error')
      t.same(answer.body.data, { reason: 'internal_error' })
      const lines = readLog(server.log())
      const { reqId } = lines.find(({ req }) => req?.path === path)
      t.match(reqId, /^[\w-]{8,}$/)
      const failure = lines.find((line) => line.level >= 50 && line.reqId === reqId)
      t.match(JSON.stringify(failure), cause)
    })
  }
  t.equal((await server.call('GET', '/health/ready')).status, 200)
})

test('an error of a library that is the fault of the caller is a bad request without its text', async (t) => {
  const server = await startServer(t, {
    extend: (app) => {
      addFailing(app, '/refused', throwing(errorWith({ statusCode: 418 })))
    },
  })
  const answer = await server.call('GET', '/refused')
  expectProblem(t, answer, 'invalid_request')
  t.notMatch(answer.text, secret)
  t.match(server.log(), secret)
})

test('a database that cannot serve makes the service unavailable for a while', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const { db } = server.app
  for (const code of ['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN']) {
    await t.test(code, async (t) => {
      db.ping = throwing(sqliteError(code))
      server.app.userList.page = throwing(sqliteError(code))
      for (const path of ['/health/ready', '/system/user/page']) {
        const answer = await server.call('GET', path, { token })
        expectProblem(t, answer, 'unavailable')
        t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
        t.notMatch(answer.text, secret)
      }
      t.match(server.log(), secret)
      t.equal((await server.call('GET', '/health/live')).status, 200)
    })
  }
})

test('L11: nobody gets in while the database is down', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const calls = [
    () => server.call('GET', '/auth/userInfo', { token }),
    () => server.call('GET', '/system/user/page', { token }),
    () => server.call('POST', '/auth/refreshToken', { token }),
    () => server.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong horse battery' } }),
    () => server.call('GET', '/auth/captcha'),
    () => server.call('GET', '/health/ready'),
  ]
  await server.app.db.close()
  for (const call of calls) {
    const answer = await call()
    t.ok(answer.status >= 500, answer.text)
    expectProblem(t, answer, 'unavailable')
    t.notMatch(answer.text, /driver|destroyed|connection|accessToken/i)
  }
})

test('a route without an access policy cannot be added', async (t) => {
  await startServer(t, {
    extend: (app) => {
      const add = (path: string, config?: object) => () =>
        app.get(path, { ...(config ? { config } : {}), schema: {} }, async () => 'open to all')
      t.throws(add('/a'), /GET \/a declares no access policy/)
      t.throws(add('/b', {}), /GET \/b declares no access policy/)
      t.throws(add('/c', { access: undefined }), /GET \/c declares no access policy/)
      t.throws(add('/d', { access: '' }), /GET \/d declares no access policy/)
    },
  })
})

test('a route added with a policy obeys it', async (t) => {
  const schema = { response: { 200: { type: 'object', properties: { a: { type: 'integer' } } } } }
  const server = await startServer(t, {
    extend: (app) => {
      app.get('/added/open', { config: { access: 'open' }, schema }, async () => ({ a: 1, b: 2 }))
      app.get('/added/session', { config: { access: 'session' }, schema }, async () => ({ a: 1, b: 2 }))
      app.get('/added/guarded', { config: { access: 'a:b:c' }, schema }, async () => ({ a: 1, b: 2 }))
    },
  })
  await server.addUser('bob')
  const { accessToken: token } = await server.signIn('bob')
  const open = await server.call('GET', '/added/open')
  t.same(open.body.data, { a: 1 }, 'only what the schema names')
  expectProblem(t, await server.call('GET', '/added/session'), 'token_missing')
  t.equal((await server.call('GET', '/added/session', { token })).status, 200)
  expectProblem(t, await server.call('GET', '/added/guarded', { token }), 'permission_denied')
})
