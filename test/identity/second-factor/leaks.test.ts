import type { Repositories } from '../../../db/index.js'
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
  let before = await live()
  const outage = new OverloadError('connection refused')
  const fail = async () => {
    throw outage
  }
  const byApp = () => ({ code: app.nextCode() })
  let used = 0
  const byRecovery = () => ({ authType: 'recovery', code: app.recoveryCodes[used++] ?? '' })
  const trusting = () => ({ code: app.nextCode(), trustDevice: true })
  /** Breaks a method until the returned function is called; `working` calls go well before. */
  const breakMethod = (part: object, name: string, working = 0) => {
    const methods = part as Record<string, (...input: unknown[]) => Promise<unknown>>
    const real = methods[name]
    let calls = 0
    methods[name] = (...input) => (calls++ < working && real ? real.apply(part, input) : fail())
    return () => {
      if (real) methods[name] = real
    }
  }
  const { transaction } = db
  const breakInside = (table: keyof Repositories, name: string) => {
    db.transaction = (work, locks) =>
      transaction((inside) => {
        breakMethod(inside[table], name)
        return work(inside)
      }, locks)
    return () => {
      db.transaction = transaction
    }
  }
  const steps: [string, () => () => void, typeof byApp?][] = [
    ['store.take', () => breakMethod(store, 'take')],
    ['store.increment', () => breakMethod(store, 'increment')],
    ['store.getMany', () => breakMethod(store, 'getMany')],
    ['the second store.getMany', () => breakMethod(store, 'getMany', 1)],
    ['the third store.getMany', () => breakMethod(store, 'getMany', 2)],
    ['the fourth store.getMany', () => breakMethod(store, 'getMany', 3)],
    ['totpSecrets.ofUser', () => breakMethod(db.totpSecrets, 'ofUser')],
    ['recoveryCodes.left', () => breakMethod(db.recoveryCodes, 'left'), byRecovery],
    ['recoveryCodes.stateOf', () => breakMethod(db.recoveryCodes, 'stateOf'), byRecovery],
    ['the transaction', () => breakMethod(db, 'transaction')],
    ['totpSecrets.useStep', () => breakInside('totpSecrets', 'useStep')],
    ['passkeys.ofUser', () => breakInside('passkeys', 'ofUser')],
    ['recoveryCodes.use', () => breakInside('recoveryCodes', 'use'), byRecovery],
    ['the number of codes that are left', () => breakInside('recoveryCodes', 'left'), byRecovery],
    ['trustedDevices.set', () => breakInside('trustedDevices', 'set'), trusting],
    ['sessions.add', () => breakInside('sessions', 'add')],
    ['loginLog.add', () => breakInside('loginLog', 'add')],
  ]
  for (const [name, breakOne, step = byApp] of steps) {
    const { ticket } = (await firstStep(server, 'alice')).body.data
    const proof = step()
    const mend = breakOne()
    const answer = await secondStep(server, { ticket, ...proof })
    mend()
    t.equal(answer.status, 503, `${name}: ${answer.text}`)
    t.notMatch(answer.text, /accessToken|refused/)
    t.equal(await live(), before, name)
    t.equal((await secondStep(server, { ticket, ...proof })).status, 200, `${name}: nothing was used up`)
    await db.sessions.endOfUser(2, 'revoked', server.clock.now())
    before = await live()
  }
})
