import { join } from 'node:path'
import { test, type Test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
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
    t.same((await ask(t, server, (await server.signIn()).accessToken)).lacks, withBackup(server, lacks))
  }
  const server = await startServer(t)
  const { accessToken } = await server.signIn('admin', adminPassword)
  const admin = await server.app.db.users.findByUsername(1, 'admin')
  await enrol(t, server, accessToken)
  t.equal(admin?.id, 1)
  t.same((await ask(t, server, accessToken)).lacks, withBackup(server, ['publicUrl', 'mail', 'phoneRegion']))
  await server.addUser('bob', { phone: '13800138000' })
  const second = await signInAs(server, 'second', { userType: 0, permissions: ['*:*:*'] })
  await server.app.accounts.writes.setPassword(server.app.db, 1, 'x', { forcePasswordChange: true })
  server.clock.advance(10)
  const all = ['ownPassword', 'publicUrl', 'mail', 'administratorFactor']
  t.same((await ask(t, server, second)).lacks, withBackup(server, all))
})

test('a system administrator is told whether nobody else lacks a second factor', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn('admin', adminPassword)
  const isOwn = async (token: string) => (await ask(t, server, token)).isOwnFactorLacking as unknown
  t.equal(await isOwn(accessToken), true)
  const second = await signInAs(server, 'second', { userType: 0, permissions: ['*:*:*'] })
  server.clock.advance(10)
  t.equal(await isOwn(accessToken), false, 'two lack it')
  await enrol(t, server, accessToken)
  server.clock.advance(10)
  t.equal(await isOwn(accessToken), false, 'another one lacks it')
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
  t.equal((await lacks()).includes('backup'), isLacking)
  const { directory } = server
  const file = `${emptyDirectory(t)}.db`
  const { code, stderr } = await runCommand(t, ['backup', file], { directory })
  t.equal(code, isLacking ? 0 : 1, stderr)
  server.clock.advance(10)
  t.notOk((await lacks()).includes('backup'))
  // The command has the clock of the machine, which goes on meanwhile.
  server.clock.advance(8 * 24 * hour + hour)
  t.equal((await lacks()).includes('backup'), isLacking)
})
