import { test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const all = { refusedOnly: false, limit: 100 }

test('every try is kept: who, when, from where, how, and what came of it', async (t) => {
  const server = await startServer(t)
  const headers = { 'user-agent': 'Browser/1.0' }
  const attempt = (json: object) => server.call('POST', '/auth/login', { json, headers })
  await attempt({ username: 'admin', password: adminPassword, userClient: 'app' })
  server.clock.advance(1)
  await attempt({ username: 'admin', password: 'wrong horse battery' })
  server.clock.advance(1)
  await attempt({ username: 'nobody', password: 'x', tenantId: 7 })
  await attempt({ authType: 'password_captcha', username: 'admin', password: 'x' })
  const common = { address: '127.0.0.1', userAgent: 'Browser/1.0', tries: 1 }
  const now = server.clock.now()
  const at = (time: number) => ({ time, firstTime: time })
  t.same(await server.app.loginLog.list(all), [
    {
      ...common,
      ...at(now),
      tenantId: 1,
      subject: 'admin',
      userId: null,
      authType: 'password_captcha',
      userClient: 'pc',
      reason: 'captcha_required',
    },
    {
      ...common,
      ...at(now),
      tenantId: 7,
      subject: 'n******',
      userId: null,
      authType: 'password',
      userClient: 'pc',
      reason: 'invalid_credentials',
    },
    {
      ...common,
      ...at(now - 1000),
      tenantId: 1,
      subject: 'admin',
      userId: null,
      authType: 'password',
      userClient: 'pc',
      reason: 'invalid_credentials',
    },
    {
      ...common,
      ...at(now - 2000),
      tenantId: 1,
      subject: 'admin',
      userId: 1,
      authType: 'password',
      userClient: 'app',
      reason: null,
    },
  ])
  t.notMatch(server.log(), adminPassword)
  t.notMatch(JSON.stringify(await server.app.loginLog.list(all)), /horse battery/)
})

test('a submitted name cannot forge a line', async (t) => {
  const server = await startServer(t)
  const username = `a\nadmin ok\u2028\u001b[2J${'x'.repeat(500)}`
  await server.call('POST', '/auth/login', { json: { username, password: 'x' } })
  const [event] = await server.app.loginLog.list(all)
  t.equal(event?.subject, 'a******')
  for (const line of server.log().trim().split('\n')) t.doesNotThrow(() => JSON.parse(line))
})

test('a refused account, a pause and a disabled tenant are kept with their reason', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await server.operator.setEnabled('alice', false)
  const json = { username: 'alice', password: 'plain green teapot' }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'account_disabled')
  for (let count = 0; count < 6; count++) {
    await server.call('POST', '/auth/login', { json: { ...json, username: 'bob' } })
  }
  const reasons = (await server.app.loginLog.list({ ...all, refusedOnly: true })).map(({ reason }) => reason)
  t.ok(reasons.includes('account_disabled'))
  t.ok(reasons.includes('captcha_required'))
})

test('the list is filtered by tenant, name, outcome and time, and limited', async (t) => {
  const server = await startServer(t)
  await server.signIn()
  server.clock.advance(3600)
  const since = server.clock.now()
  await server.call('POST', '/auth/login', { json: { username: 'admin', password: 'x' } })
  await server.call('POST', '/auth/login', { json: { username: 'bob', password: 'x', tenantId: 2 } })
  const count = async (filter: object) => (await server.app.loginLog.list({ ...all, ...filter })).length
  t.equal(await count({}), 3)
  t.equal(await count({ tenantId: 2 }), 1)
  t.equal(await count({ subject: 'admin' }), 2)
  t.equal(await count({ refusedOnly: true }), 2)
  t.equal(await count({ since }), 2)
  t.equal(await count({ limit: 1 }), 1)
})

test('tries older than the configured days are deleted by the housekeeping', async (t) => {
  const server = await startServer(t, { settings: { loginLog: { keepDays: 2 } } })
  expectSuccess(t, await server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword } }))
  for (let day = 0; day < 2; day++) {
    server.clock.advance(24 * 3600)
    await server.app.housekeeping.run()
  }
  t.equal((await server.app.loginLog.list(all)).length, 1)
  server.clock.advance(1)
  await server.app.housekeeping.run()
  t.equal((await server.app.loginLog.list(all)).length, 0)
})

test('a success is in the log together with its session, or there is neither', async (t) => {
  const server = await startServer(t)
  const { run, all, close } = await connect(server.directory)
  t.teardown(close)
  const count = async (table: string) => (await all(`select * from ${table}`)).length
  await run('alter table login_log rename to no_room')
  const answer = await server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword } })
  expectProblem(t, answer, 'internal_error')
  t.notMatch(answer.text, /no_room|login_log/)
  t.equal(await count('sessions'), 0)
  await run('alter table no_room rename to login_log')
  t.equal(await count('login_log'), 0)
  await server.signIn()
  t.equal(await count('sessions'), 1)
  t.equal(await count('login_log'), 1)
})

test('the tries of a user are found however the name was written, among many of others', async (t) => {
  const server = await startServer(t)
  await server.addUser('Weiß')
  const attempt = (username: string) =>
    server.call('POST', '/auth/login', { json: { username, password: 'wrong horse battery' } })
  const spellings = ['Weiß', 'WEISS', 'weiẞ', 'ｗｅｉｓｓ']
  for (const username of spellings) {
    await attempt(username)
    server.clock.advance(3600)
  }
  const connection = await connect(server.directory)
  await connection.run(`with recursive number(n) as (select 1 union all select n + 1 from number where n < 2500)
    insert into login_log (time, tenant_id, subject, auth_type, user_client, address, user_agent, reason)
    select ${server.clock.now()} + n / 7, 1, 'other', 'password', 'pc', '192.0.2.1', '', 'invalid_credentials' from number`)
  await connection.close()
  const subjects = async (subject: string, limit: number) =>
    (await server.app.loginLog.list({ refusedOnly: true, subject, limit })).map((event) => event.subject)
  t.strictSame(await subjects('weiss', 100), spellings.toReversed())
  t.strictSame(await subjects('WEIẞ', 2), spellings.toReversed().slice(0, 2))
  t.equal((await subjects('OTHER', 3000)).length, 2500)
  t.strictSame(await subjects('wei', 100), [])
})
