import { test, type Test } from 'tap'
import { parse } from 'csv-parse/sync'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { operatorActor } from '../../../lib/actor.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { askPage, namesOf, signInAs } from '../../helpers/service/users.js'

const time = (seconds: number) => new Date(Date.UTC(2026, 5, 1, 8) + seconds * 1000).toISOString()

/** Three users with a password, and an administrator. */
const start = async (t: Test) => {
  const server = await startServer(t)
  const ids: Record<string, number> = {}
  for (const name of ['alice', 'bert', 'carl']) ids[name] = (await server.addUser(name)).id
  const { accessToken: token } = await server.signIn()
  const ban = (name: string, seconds: number | undefined) =>
    server.app.management.bans.ban(operatorActor(), ids[name] ?? 0, seconds, 'shared the password')
  const listed = async (query = '') => {
    const { records } = expectSuccess(t, await askPage(server, token, `orderByColumn=username&${query}`))
    return Object.fromEntries(
      records.map(({ username, bannedUntil }: Record<string, string>) => [username, bannedUntil]),
    )
  }
  const signIn = (username: string) =>
    server.call('POST', '/auth/login', { json: { username, password: userPassword } })
  const send = (method: string, path: string, json?: object, as = token) =>
    server.call(method, path, { token: as, ...(json && { json }) })
  const show = async (name: string) => expectSuccess(t, await send('GET', `/system/user/${ids[name] ?? 0}`))
  return { server, ids, token, ban, listed, signIn, send, show }
}
const nobody = { admin: null, alice: null, bert: null, carl: null }

test('a ban is shown in the user and in the list until it is over, also in a page that is remembered', async (t) => {
  const { server, ban, listed, signIn, show, token } = await start(t)
  for (let times = 0; times < 3; times++) t.strictSame(await listed(), nobody)
  await ban('alice', 600)
  await ban('bert', undefined)
  for (let times = 0; times < 3; times++)
    t.strictSame(await listed(), { ...nobody, alice: time(600), bert: '9999-12-31T00:00:00.000Z' })
  t.match(await show('alice'), { bannedUntil: time(600), userStatus: 1 })
  t.match(await show('carl'), { bannedUntil: null })
  const order = async (isAsc: string) =>
    namesOf(expectSuccess(t, await askPage(server, token, `orderByColumn=bannedUntil&isAsc=${isAsc}`))).join(' ')
  t.equal(await order('asc'), 'admin carl alice bert')
  t.equal(await order('desc'), 'bert alice carl admin')
  const file = await server.call('GET', '/system/user/export', { token })
  const rows = parse<Record<string, string>>(file.text, { columns: true, bom: true })
  t.strictSame(rows.map(({ username, bannedUntil }) => `${username ?? ''} ${(bannedUntil ?? '').slice(0, 4)}`).sort(), [
    'admin ',
    'alice 2026',
    'bert 9999',
    'carl ',
  ])
  t.notMatch(
    JSON.stringify([await listed(), await show('alice')]),
    /shared the password/,
    'the reason is in the audit trail only',
  )

  server.clock.advance(599)
  expectProblem(t, await signIn('alice'), 'account_banned')
  t.match(await listed(), { alice: time(600) })
  server.clock.advance(1)
  const { accessToken } = await server.signIn()
  const later = expectSuccess(t, await askPage(server, accessToken, 'orderByColumn=username&'))
  t.match(later.records, [{}, { username: 'alice', bannedUntil: null }, { username: 'bert', bannedUntil: /^9999/ }, {}])
  t.equal((await signIn('alice')).status, 200)
  expectProblem(t, await signIn('bert'), 'account_banned')
})

test('unlock lifts a ban, of one and of many, and the trail says which', async (t) => {
  const { server, ids, ban, listed, signIn, send, token } = await start(t)
  const { alice = 0, bert = 0, carl = 0 } = ids
  await ban('alice', 600)
  await ban('bert', undefined)
  expectSuccess(t, await send('POST', `/system/user/${alice}/unlock`))
  t.match(await listed(), { alice: null, bert: /^9999/ })
  t.equal((await signIn('alice')).status, 200)
  await ban('alice', 600)
  for (let times = 0; times < 2; times++)
    expectSuccess(t, await send('POST', '/system/user/batch', { ids: [alice, bert, carl], action: 'unlock' }))
  t.strictSame(await listed(), nobody)
  const audit = await server.call('GET', '/system/audit/page', { token, query: { action: 'user.unban' } })
  const { records, total } = expectSuccess(t, audit)
  t.equal(total, 3, 'a repetition is not recorded')
  t.match(records[0].before, { bannedUntil: /^\d{4}-/, reason: 'shared the password' })

  await ban('carl', 600)
  expectSuccess(t, await send('POST', `/system/user/${carl}/disable`))
  expectSuccess(t, await send('POST', `/system/user/${carl}/unlock`))
  t.match(await listed(), { carl: null })
  expectProblem(t, await signIn('carl'), 'account_disabled')
})

test('who may not change a user lifts no ban', async (t) => {
  const { server, ids, ban, listed, send } = await start(t)
  await ban('alice', 600)
  const { id: acme } = await server.operator.addTenant('Acme')
  const path = `/system/user/${ids['alice'] ?? 0}/unlock`
  const reader = await signInAs(server, 'reader', { permissions: ['system:user:list', 'system:user:view'] })
  expectProblem(t, await send('POST', path, undefined, reader), 'permission_denied')
  const boss = await signInAs(server, 'boss', { tenantId: acme, userType: 1, permissions: ['system:user:*'] })
  expectProblem(t, await send('POST', path, undefined, boss), 'not_found')
  t.match(await listed(), { alice: time(600) })
  const { records } = expectSuccess(t, await askPage(server, reader, 'search=alice'))
  t.match(records, [{ bannedUntil: time(600) }])
})
