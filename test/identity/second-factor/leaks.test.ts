import { test } from 'tap'
import { OverloadError } from '../../../db/errors.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, cookiesOf, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startServer } from '../../helpers/service/server.js'

const tables = [
  'totp_secrets',
  'recovery_codes',
  'trusted_devices',
  'factor_states',
  'sessions',
  'store',
  'login_log',
  'audit_trail',
  'users',
]

test('no secret of a second factor is in the database or in a log', async (t) => {
  const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 7 } } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const secrets = new Set<string>()
  const pending = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
  secrets.add(pending.secret)
  const app = await enrol(t, server, token)
  secrets.add(app.secret)
  for (const code of app.recoveryCodes) {
    secrets.add(code)
    secrets.add(code.replaceAll('-', ''))
  }
  const [recovery = ''] = app.recoveryCodes
  const open = (await firstStep(server, 'alice')).body.data.ticket as string
  const used = (await firstStep(server, 'alice')).body.data.ticket as string
  secrets.add(open)
  secrets.add(used)
  const trusted = await secondStep(server, { ticket: used, code: app.nextCode(), trustDevice: true })
  expectSuccess(t, trusted)
  for (const cookie of cookiesOf(trusted).split('; ')) secrets.add(cookie.slice(cookie.indexOf('=') + 1))
  const wrong = codeAt(app.secret, 0)
  expectProblem(t, await secondStep(server, { ticket: open, code: wrong }), 'invalid_code')
  const byCode = await secondStep(server, { authType: 'recovery', ticket: open, code: recovery })
  expectSuccess(t, byCode)
  const connection = await connect(server.directory)
  t.teardown(() => connection.close())
  let dump = ''
  for (const table of tables) dump += JSON.stringify(await connection.all(`select * from ${table}`))
  t.match(dump, /Authenticator app/, 'what should be there is')
  t.match(server.log(), '/auth/factors/totp')
  for (const secret of secrets) {
    t.ok(secret.length > 10)
    for (const form of [secret, secret.toLowerCase(), Buffer.from(secret).toString('base64')]) {
      t.notOk(dump.includes(form), 'not in the database')
      t.notOk(server.log().includes(form), 'not in the log')
    }
  }
})

test('a database or store that fails at any step answers 503, and starts no session', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const { db, store } = server.app
  const live = async () => (await db.sessions.live(2, server.clock.now())).length
  const before = await live()
  const outage = new OverloadError('connection refused')
  const fail = async () => {
    throw outage
  }
  const byApp = () => ({ code: app.nextCode() })
  let used = 0
  const byRecovery = () => ({ authType: 'recovery', code: app.recoveryCodes[used++] ?? '' })
  const trusting = () => ({ code: app.nextCode(), trustDevice: true })
  /** What fails, at which step, and after how many calls that work. */
  const parts: [object, string, typeof byApp?, number?][] = [
    [store, 'get'],
    [store, 'take'],
    [store, 'increment'],
    [store, 'getMany'],
    [db.totpSecrets, 'ofUser'],
    [db.totpSecrets, 'useStep'],
    [db.recoveryCodes, 'left', byRecovery],
    [db.recoveryCodes, 'left', byRecovery, 1],
    [db.trustedDevices, 'set', trusting],
    [store, 'getMany', byApp, 1],
    [store, 'getMany', byApp, 2],
    [db.recoveryCodes, 'use', byRecovery],
    [db, 'transaction'],
  ]
  for (const [part, name, step = byApp, working = 0] of parts) {
    const methods = part as Record<string, unknown>
    const { ticket } = (await firstStep(server, 'alice')).body.data
    const real = methods[name] as (...input: unknown[]) => Promise<unknown>
    let calls = 0
    methods[name] = (...input: unknown[]) => (calls++ < working ? real.apply(part, input) : fail())
    const answer = await secondStep(server, { ticket, ...step() })
    methods[name] = real
    t.equal(answer.status, 503, `${name}: ${answer.text}`)
    t.notMatch(answer.text, /accessToken|refused/)
    t.equal(await live(), before, name)
  }
})
