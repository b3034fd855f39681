import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startMailServer } from '../../helpers/peers/mail-server.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { insertUsers, signInAs } from '../../helpers/service/users.js'

const path = '/system/overview'
const hour = 3600

const ask = async (t: Test, server: TestServer, token: string) =>
  expectSuccess(t, await server.call('GET', path, { token }))

/** Three users and two tenants, at the beginning of an hour. */
const start = async (t: Test, secondFactor: object = {}) => {
  const settings = { captcha: { mode: 'never' }, secondFactor } as const
  const server = await startServer(t, { time: Date.UTC(2026, 4, 1, 12), settings })
  await server.operator.addTenant('Other')
  await server.addUser('alice')
  await server.addUser('bob', { tenantId: 2 })
  const login = (username: string, password = userPassword, tenantId = 1) =>
    server.call('POST', '/auth/login', { json: { username, password, tenantId } })
  return { server, login }
}

test('an administrator sees how many users, sessions and sign-ins there are, by hour', async (t) => {
  const { server, login } = await start(t)
  for (let index = 0; index < 3; index++) await login('alice', 'wrong horse battery')
  await login('alice')
  await login('bob', userPassword, 2)
  server.clock.advance(2 * hour)
  await login('alice', 'wrong horse battery')
  const { accessToken: token } = await server.signIn()
  const overview = await ask(t, server, token)
  const now = server.clock.now()
  t.match(overview, { users: 3, usersWithoutFactor: 3, liveSessions: 3, signIns24h: 3, refusals24h: 4 })
  t.equal(overview.since, now - 23 * hour * 1000)
  t.equal(overview.hours.length, 24)
  t.same(
    overview.hours.map(({ start }: any) => (now - start) / 1000 / hour),
    Array.from({ length: 24 }, (_, index) => 23 - index),
  )
  const busy = overview.hours.filter((one: Record<string, number>) => one['signIns'] !== 0 || one['refusals'] !== 0)
  t.same(busy, [
    { start: now - 2 * hour * 1000, signIns: 2, refusals: 3 },
    { start: now, signIns: 1, refusals: 1 },
  ])

  const tenant = await signInAs(server, 'manager', { tenantId: 2, userType: 1, permissions: ['system:*:list'] })
  const own = await ask(t, server, tenant)
  t.match(own, { users: 2, liveSessions: 2, signIns24h: 2, refusals24h: 0 })
  t.notOk('lacks' in own)

  server.clock.advance(22 * hour)
  const later = await ask(t, server, (await server.signIn()).accessToken)
  t.match(later, { signIns24h: 3, refusals24h: 1 }, 'the first hour is no longer of the day')
})

test('a sign-in with a second step counts once, and its first step is no refusal', async (t) => {
  const { server, login } = await start(t, { graceDays: 0 })
  await server.app.db.tenants.setSecondFactorRequired(2, true, server.clock.now())
  const app = await enrol(t, server, (await server.signIn('alice', userPassword)).accessToken)
  const asked = await firstStep(server, 'alice')
  expectProblem(t, asked, 'second_factor_required')
  expectSuccess(t, await secondStep(server, { ticket: asked.body.data.ticket, code: app.nextCode() }))
  expectProblem(t, await login('bob', userPassword, 2), 'second_factor_setup_required')
  expectProblem(t, await login('alice', 'wrong horse battery'), 'invalid_credentials')
  const { accessToken: token } = await server.signIn()
  t.match(await ask(t, server, token), { signIns24h: 3, refusals24h: 1 })
  // The list that the count leads to, over HTTP and of the command.
  const refused = await server.call('GET', '/system/login-log/page', { token, query: 'refusedOnly=true' })
  t.match(expectSuccess(t, refused), { total: 1, records: [{ reason: 'invalid_credentials' }] })
  t.equal((await server.app.loginLog.list({ refusedOnly: true, limit: 9 })).length, 1)
})

test('each count needs the permission of its list, and is absent without', async (t) => {
  const { server } = await start(t)
  const users = ['users', 'usersWithoutFactor']
  const signIns = ['signIns24h', 'refusals24h', 'hours']
  const rows: [name: string, permissions: string[], fields: string[]][] = [
    ['none', [], []],
    ['users', ['system:user:list'], users],
    ['sessions', ['system:session:list'], ['liveSessions']],
    ['log', ['system:loginlog:list'], signIns],
    ['all', ['*:*:*'], [...users, 'liveSessions', ...signIns]],
  ]
  for (const [name, permissions, fields] of rows) {
    const token = await signInAs(server, name, permissions.length === 0 ? {} : { permissions })
    t.same(Object.keys(await ask(t, server, token)).sort(), [...fields, 'since'].sort(), name)
  }
  expectProblem(t, await server.call('GET', path), 'token_missing')
  const forced = await signInAs(server, 'forced', { permissions: ['*:*:*'], forcePasswordChange: true })
  expectProblem(t, await server.call('GET', path, { token: forced }), 'password_change_required')
})

test('where administration asks for two factors, the overview does', async (t) => {
  const server = await startServer(t, { settings: { secondFactor: { administration: 'aal2' } } })
  const { accessToken: token } = await server.signIn()
  const refused = await server.call('GET', path, { token })
  expectProblem(t, refused, 'step_up_required')
  t.notMatch(refused.text, /liveSessions/)
})

test('counts are at most ten seconds old, and those of one tenant are not those of another', async (t) => {
  const { server } = await start(t)
  const { accessToken: token } = await server.signIn()
  t.equal((await ask(t, server, token)).users, 3)
  await insertUsers(server, [{ username: 'carol' }])
  t.equal((await ask(t, server, token)).users, 3)
  const other = await signInAs(server, 'other', { tenantId: 2, permissions: ['system:user:list'] })
  t.equal((await ask(t, server, other)).users, 2)
  server.clock.advance(10)
  t.equal((await ask(t, server, token)).users, 5)
})

/** PostgreSQL has programs of its own for backups. */
const withBackup = ({ app }: TestServer, lacks: string[]) => (app.db.isShared ? lacks : [...lacks, 'backup'])

test('a system administrator is told what a new installation lacks', async (t) => {
  const rows: [settings: object, lacks: string[]][] = [
    [{}, ['publicUrl', 'mail', 'phoneRegion', 'administratorFactor']],
    [{ phoneRegion: null }, ['publicUrl', 'mail', 'administratorFactor']],
    [{ phoneRegion: 'CN' }, ['publicUrl', 'mail', 'administratorFactor']],
    [{ publicUrl: 'https://people.example.com' }, ['mail', 'phoneRegion', 'administratorFactor']],
    [
      {
        issuer: 'https://people.example.com',
        mail: { url: 'smtp://127.0.0.1:1', from: 'a@example.com' },
        phoneRegion: 'GB',
      },
      ['administratorFactor'],
    ],
  ]
  for (const [settings, lacks] of rows) {
    const server = await startServer(t, { settings: settings as never })
    const told = await ask(t, server, (await server.signIn()).accessToken)
    t.same(told.lacks, withBackup(server, lacks))
    const others = ['ownPassword', 'publicUrl', 'mail', 'phoneRegion', 'administratorFactor']
    t.same(
      told.has,
      others.filter((name) => !lacks.includes(name)),
      'the rest is done',
    )
  }
  const server = await startServer(t)
  const { accessToken } = await server.signIn('admin', adminPassword)
  const admin = await server.app.db.users.findByUsername(1, 'admin')
  await enrol(t, server, accessToken)
  t.equal(admin?.id, 1)
  t.same((await ask(t, server, accessToken)).lacks, withBackup(server, ['publicUrl', 'mail', 'phoneRegion']))
  await server.addUser('bob', { phone: '13800138000' })
  const second = await signInAs(server, 'second', { userType: 0, permissions: ['*:*:*'] })
  await server.app.accounts.writes.setPassword(server.app.db, 1, 'x', { forcePasswordChange: true, endTokens: false })
  server.clock.advance(10)
  const all = ['ownPassword', 'publicUrl', 'mail', 'phoneRegion', 'administratorFactor']
  t.same((await ask(t, server, second)).lacks, withBackup(server, all))
})

test('who has set a second factor up sees at once that none is lacking', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn('admin', adminPassword)
  const lacks = async () => (await ask(t, server, accessToken)).lacks as string[]
  t.ok((await lacks()).includes('administratorFactor'))
  await enrol(t, server, accessToken)
  t.notOk((await lacks()).includes('administratorFactor'))
})

test('a system administrator is told of the own second factor before those of others', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn('admin', adminPassword)
  const isOwn = async (token: string) => (await ask(t, server, token)).isOwnFactorLacking as unknown
  t.equal(await isOwn(accessToken), true)
  const second = await signInAs(server, 'second', { userType: 0, permissions: ['*:*:*'] })
  server.clock.advance(10)
  t.equal(await isOwn(accessToken), true, 'two lack it')
  await enrol(t, server, accessToken)
  server.clock.advance(10)
  t.equal(await isOwn(accessToken), false, 'only another one lacks it')
  t.equal(await isOwn(second), true)
  const tenant = await signInAs(server, 'manager', { userType: 1, permissions: ['*:*:*'] })
  t.equal(await isOwn(tenant), undefined)
})

test('only system administrators are told where the configuration is and how commands are typed', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn('admin', adminPassword)
  const { installation } = await ask(t, server, accessToken)
  t.equal(installation.configFile, join(server.directory, 'config.json'))
  const manager = await signInAs(server, 'manager', { userType: 1, permissions: ['*:*:*'] })
  t.notMatch(JSON.stringify(await ask(t, server, manager)), /config\.json|npx|DATA_DIR/)
})

test('a backup is lacking until there is one, and again when it is eight days old', async (t) => {
  const server = await startServer(t, { time: Date.now() })
  const lacks = async () => (await ask(t, server, (await server.signIn()).accessToken)).lacks as string[]
  const isLacking = !server.app.db.isShared
  const has = async () => (await ask(t, server, (await server.signIn()).accessToken)).has as string[]
  t.equal((await lacks()).includes('backup'), isLacking)
  t.notOk((await has()).includes('backup'))
  const { directory } = server
  const file = `${emptyDirectory(t)}.db`
  const { code, stderr } = await runCommand(t, ['backup', file], { directory })
  t.equal(code, isLacking ? 0 : 1, stderr)
  t.notOk((await lacks()).includes('backup'), 'at once')
  t.equal((await has()).includes('backup'), isLacking, 'it is done, where anything is known of backups')
  // The command has the clock of the machine, which goes on meanwhile.
  server.clock.advance(8 * 24 * hour + hour)
  t.equal((await lacks()).includes('backup'), isLacking)
})

const letter = { to: 'alice@example.net', subject: 'A test', text: 'A test', html: '<p>A test' }
const sendMail = async ({ app }: TestServer) => app.mail?.send(letter)

/** What a server does with a message, and what the overview says about it. */
const failures: [what: string, mail: 'refuse' | 'hang' | 'guarded' | 'closed', failure: object][] = [
  ['is not there', 'closed', { reason: 'noConnection' }],
  ['does not answer', 'hang', { reason: 'timeout' }],
  ['refuses the sign-in', 'guarded', { reason: 'signIn', status: 535 }],
  ['refuses the message', 'refuse', { reason: 'refused', status: 550 }],
]

for (const [what, behaviour, failure] of failures)
  test(`a mail server that ${what} is told as lacking, without a word of its answer`, async (t) => {
    const { url } = behaviour === 'closed' ? { url: 'smtp://127.0.0.1:1' } : await startMailServer(t, behaviour)
    const mail = { url: url.replace('//', '//user:secret-word@'), timeout: 1 }
    const server = await startServer(t, { settings: { mail } })
    const { accessToken: token } = await server.signIn()
    t.ok((await ask(t, server, token)).has.includes('mail'))
    await t.rejects(sendMail(server))
    const time = new Date(server.clock.now()).toISOString()
    server.clock.advance(10)
    const told = await ask(t, server, token)
    t.ok(told.lacks.includes('mail'))
    t.notOk(told.has.includes('mail'))
    t.strictSame(told.deliveryFailures, [{ way: 'mail', time, ...failure }])
    t.notMatch(JSON.stringify(told), /secret-word|alice@|127\.0\.0\.1|mailbox/)
  })

test('the next delivery ends the failure, and a mailbox that does not exist is none', async (t) => {
  let refusal: Error | undefined
  const { url } = await startMailServer(t, () => refusal)
  const server = await startServer(t, { settings: { mail: { url } } })
  const { accessToken: token } = await server.signIn()
  const told = async () => {
    server.clock.advance(10)
    const { lacks, deliveryFailures } = await ask(t, server, token)
    return [lacks.includes('mail'), deliveryFailures.length] as unknown
  }
  refusal = Object.assign(new Error('5.1.1 <alice@example.net>: no such user'), { responseCode: 550 })
  await t.rejects(sendMail(server))
  t.strictSame(await told(), [false, 0])
  refusal = Object.assign(new Error('5.7.1 relay access denied'), { responseCode: 554 })
  await t.rejects(sendMail(server))
  t.strictSame(await told(), [true, 1])
  refusal = undefined
  await sendMail(server)
  t.strictSame(await told(), [false, 0])
})

test('a sender of text messages that fails is told as lacking until it works', async (t) => {
  let status = 503
  const gateway = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => gateway.close())
  const { port } = gateway.address() as AddressInfo
  const webhook = {
    url: `http://127.0.0.1:${port}/secret-path`,
    secret: 'a secret of the gateway with many characters',
  }
  const server = await startServer(t, { settings: { sms: { sender: 'webhook', webhook, retries: 0 } } })
  const { accessToken: token } = await server.signIn()
  const send = async () =>
    server.app.sendSms?.({ phone: '+8613800138000', code: '123456', text: 'A test', language: 'en' })
  t.ok((await ask(t, server, token)).has.includes('sms'))
  await t.rejects(send())
  const time = new Date(server.clock.now()).toISOString()
  server.clock.advance(10)
  const told = await ask(t, server, token)
  t.ok(told.lacks.includes('sms'))
  t.strictSame(told.deliveryFailures, [{ way: 'sms', time, reason: 'refused', status: 503 }])
  t.notMatch(JSON.stringify(told), /secret|138001|123456/)
  status = 200
  await send()
  server.clock.advance(10)
  t.ok((await ask(t, server, token)).has.includes('sms'))
})
