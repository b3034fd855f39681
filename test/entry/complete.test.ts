import { test } from 'tap'
import { commitsIn } from '../helpers/databases/commits.js'
import { connect, onSqliteOnly } from '../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { enrol, firstStep, secondStep } from '../helpers/service/factors.js'
import { createPageBrowser, pageSignIn, startWithPages as start } from '../helpers/service/page-browser.js'
import { startServer, userPassword } from '../helpers/service/server.js'

test('a sign-in of a page commits once, like any other', onSqliteOnly, async (t) => {
  const { server } = await start(t)
  const browser = createPageBrowser(server)
  const enter = async (json: object) => {
    const before = commitsIn(server.directory)
    expectSuccess(t, await browser.post('/auth/login', { json }))
    return commitsIn(server.directory) - before
  }
  // The first one after a change of the account remembers the address besides.
  server.clock.advance(1)
  await enter(pageSignIn)
  t.equal(await enter(pageSignIn), 1)
  t.equal(await enter({ ...pageSignIn, cookie: false }), 1)
})

test('a page session that cannot be kept leaves no session behind', onSqliteOnly, async (t) => {
  const { server } = await start(t)
  const connection = await connect(server.directory)
  t.teardown(() => connection.close())
  for (const event of ['before insert', 'before update'])
    await connection.run(
      `create trigger "${event}" ${event} on sessions when new.page_secret_hash is not null
       begin select raise(abort, 'no page sessions today'); end`,
    )
  const browser = createPageBrowser(server)
  expectProblem(t, await browser.post('/auth/login', { json: pageSignIn }), 'internal_error')
  t.equal(browser.jar.size, 0, 'no cookie is set')
  t.strictSame(await connection.all('select id from sessions'), [])
  t.strictSame(await connection.all('select reason from login_log'), [])
  expectSuccess(t, await browser.post('/auth/login', { json: { ...pageSignIn, cookie: false } }))
})

test('a first step that another one follows is a line of its own, and no refusal', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const first = await firstStep(server, 'alice')
  expectProblem(t, first, 'second_factor_required')
  expectSuccess(t, await secondStep(server, { ticket: first.body.data.ticket, code: app.nextCode() }))
  expectProblem(
    t,
    await firstStep(server, 'alice', { json: { password: 'wrong horse battery' } }),
    'invalid_credentials',
  )
  const list = async (refusedOnly: boolean) =>
    (await server.app.loginLog.list({ refusedOnly, limit: 9 })).map(({ subject, authType, reason }) => [
      subject,
      authType,
      reason,
    ])
  t.strictSame(await list(true), [['alice', 'password', 'invalid_credentials']])
  t.strictSame(
    (await list(false)).filter(([subject]) => subject === 'alice').length,
    4,
    'sign-in without a factor, both steps, and the refusal',
  )
})

test('who somebody is can be asked without a session', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { entry, devices, db, clock } = server.app
  const client = {
    ...{ address: '203.0.113.7', userAgent: 'a bind', acceptLanguage: undefined },
    ...{ browser: { key: undefined, isBrowser: false }, devices: devices.of({}) },
  }
  const { user, step } = await entry.prove({ username: 'alice', password: userPassword }, client)
  t.equal(user.id, id)
  t.match(step, { first: 'password', amr: ['pwd'], subject: { kind: 'username', text: 'alice' } })
  t.strictSame(await db.sessions.live(id, clock.now()), [])
  t.strictSame(await server.app.loginLog.list({ refusedOnly: false, limit: 9 }), [])
  await t.rejects(entry.prove({ username: 'alice', password: 'wrong horse battery' }, client), {
    code: 'invalid_credentials',
  })
  t.match(await server.app.loginLog.list({ refusedOnly: true, limit: 9 }), [
    { reason: 'invalid_credentials', address: '203.0.113.7' },
  ])
})
