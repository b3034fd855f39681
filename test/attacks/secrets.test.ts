import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { startMailServer } from '../helpers/peers/mail-server.js'
import { eventually } from '../helpers/processes/process.js'
import { startServer, userPassword } from '../helpers/service/server.js'
import { collectSecrets } from './secret-collector.js'
import { createFlows, email, phone } from './secret-flows.js'
import { startWithSecrets } from './secret-server.js'

const lists = ['/system/audit/page', '/system/login-log/page', '/system/session/page']

test('no secret of any flow is in the log at trace, in a refusal, in the audit trail or in the login log', async (t) => {
  const all = await startWithSecrets(t)
  const { server, collector } = all
  await server.addUser('alice', { email, phone })
  const flows = createFlows(t, all)
  await flows.signIns()
  await flows.federated()
  await flows.tokens()
  await flows.registration()
  await flows.administration()
  await flows.malformed()
  await flows.passwords()
  const token = await flows.adminToken()
  await all.keepRest()
  t.ok(collector.secrets.size > 200, 'the flows have secrets')
  t.match(server.log(), '/auth/login', 'what should be there is')
  await collector.expectNoLeaks(t, token, lists)
})

test('a database that fails in the middle of a sign-in leaves no secret in the log', async (t) => {
  const server = await startServer(t)
  const { call, keep, expectNoLeaks } = collectSecrets(server)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn()
  const { db } = server.app
  const find = db.users.findByUsername.bind(db.users)
  const { passwordHash } = (await find(1, 'alice')) ?? {}
  keep(passwordHash ?? '', 'the stored hash')
  const parameter = keep('a parameter of the statement')
  // As engines and drivers report: with the row, and with what was sent to them.
  const failures = [
    Object.assign(new Error('null value in column "x" violates not-null constraint'), {
      code: '23502',
      detail: `Failing row contains (1, alice, ${passwordHash}).`,
    }),
    Object.assign(new Error('insert failed'), { parameters: [parameter], query: { values: [parameter] } }),
    new Error('outer', { cause: Object.assign(new Error('inner'), { detail: `row (${passwordHash})` }) }),
    new AggregateError([Object.assign(new Error('one of them'), { values: [parameter] })], 'several'),
    new Sqlite.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT'),
  ]
  for (const failure of failures) {
    db.users.findByUsername = async () => {
      throw failure
    }
    const json = { username: 'alice', password: userPassword }
    const answer = await call('POST', '/auth/login', { json })
    t.ok(answer.status >= 500, answer.text)
    t.match(server.log(), JSON.stringify(failure.message).slice(1, -1), 'the log tells what happened')
  }
  db.users.findByUsername = find
  await expectNoLeaks(t, token, lists.slice(0, 2))
})

test('a mail server that refuses leaves neither its password nor a code in the log', async (t) => {
  const mailServer = await startMailServer(t, 'refuse')
  for (const host of [new URL(mailServer.url).host, '127.0.0.1:9']) {
    for (const login of ['rollcall:smtp-password-4711@', '']) {
      const url = `smtp://${login}${host}`
      const server = await startServer(t, { environment: { SMTP_URL: url, ROLLCALL_DEV_ECHO: '1' } })
      const { call, keep, expectNoLeaks } = collectSecrets(server)
      keep('smtp-password-4711')
      keep(Buffer.from('\0rollcall\0smtp-password-4711').toString('base64'))
      await server.addUser('alice', { email })
      const { accessToken: token } = await server.signIn()
      await call('POST', '/auth/captcha/email', { json: { email } })
      await eventually('the failure', () => (server.log().includes('could not be delivered') ? true : undefined))
      await call('GET', '/health/ready')
      await expectNoLeaks(t, token, lists.slice(0, 2))
    }
  }
})
