import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { test } from 'tap'
import type { LoginResult } from '../../../schemas/login.js'
import type { UserPage } from '../../../schemas/user.js'
import { echo } from '../../helpers/service/captcha.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { root } from '../../helpers/processes/project.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

interface Facts {
  madeAt: number
  codeAt: number
  /** Users whose names contain an `a`. */
  users: number
  /** Users of the tenant of `alice`. */
  own: number
  tokens: Record<'alice' | 'aliceRefreshed' | 'aliceEnded' | 'admin', string>
  deviceCookie: string[]
  code: string
  codeKey?: string
  captcha: { code: string; codeKey: string }
}
const dataOf = (version: string) => join(root, `test/fixtures/data-${version}`)
const factsOf = (version: string) => JSON.parse(readFileSync(join(dataOf(version), 'facts.json'), 'utf8')) as Facts

test('a data directory of version 0.1.0 starts; settings that no longer exist are named in one line and ignored', async (t) => {
  const server = await startServer(t, { data: dataOf('0.1.0'), time: factsOf('0.1.0').codeAt })
  const lines = server.log().split('\n')
  const told = lines.filter((line) => line.includes('no longer exist'))
  t.equal(told.length, 1, 'one line')
  t.match(
    told[0],
    /config\.json has settings that no longer exist and are ignored, remove them: federation\.requireBrowser \(/,
  )
  t.notMatch(server.log(), readFileSync(join(dataOf('0.1.0'), 'secret'), 'utf8').trim(), 'no secret in the log')
})

for (const version of ['0.1.0', '0.2.0', '0.3.0']) {
  const facts = factsOf(version)
  const start = (t: Test, time = facts.codeAt) => startServer(t, { data: dataOf(version), time })

  test(`people of version ${version} sign in: the administrator, a generated user, a bcrypt hash, the same name in two tenants`, async (t) => {
    const server = await start(t)
    await server.signIn('admin')
    const { userInfo } = await server.signIn('bcrypted')
    t.equal(userInfo.username, 'bcrypted')
    const first = await server.signIn('alice')
    const second = await server.signIn('alice', userPassword, { tenantId: 6 })
    t.not(first.userInfo.userId, second.userInfo.userId)
    t.strictSame([first.userInfo.tenantId, second.userInfo.tenantId], [1, 6])
    const wrong = await server.call('POST', '/auth/login', { json: { username: 'alice', password: 'wrong' } })
    expectProblem(t, wrong, 'invalid_credentials')
  })

  test(`sessions of version ${version} go on: live ones answer and refresh, ended ones stay ended`, async (t) => {
    const server = await start(t)
    const { alice, aliceEnded, aliceRefreshed, admin } = facts.tokens
    for (const token of [alice, aliceRefreshed, admin]) {
      t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 200)
    }
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token: aliceEnded }), 'session_revoked')
    const refreshed = await server.call<LoginResult>('POST', '/auth/refreshToken', { token: alice })
    t.equal(refreshed.status, 200)
    const next = await server.call('GET', '/auth/userInfo', { token: refreshed.body.data.accessToken })
    t.equal(next.status, 200)
  })

  // The device cookie of version 0.1.0 has another name and is ignored: the next sign-in makes a new device.
  const isCookieKnown = version !== '0.1.0'
  test(`the device cookie of version ${version} is ${isCookieKnown ? 'still known' : 'ignored'}, and the next sign-in leaves one that is known`, async (t) => {
    const server = await start(t)
    const [pair = ''] = facts.deviceCookie[0]?.split(';') ?? []
    const login = async (cookie: string) => {
      const json = { username: 'alice', password: userPassword }
      const answer = await server.call('POST', '/auth/login', { json, headers: { cookie } })
      t.equal(answer.status, 200)
      const [next = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
      t.match(next, /^rollcall_device_[0-9a-f]{8}=/)
      return next
    }
    const idIn = (cookie: string, text: string) =>
      server.app.devices.of({ cookie: cookie.split('=')[1] }).recognise(1, { kind: 'username', text })
    const renewed = await login(pair)
    const id = await idIn(renewed, 'alice')
    t.match(id, /^[\w-]{22}$/)
    t.equal(await idIn(renewed, 'admin'), undefined)
    t.equal(await idIn(pair, 'alice'), isCookieKnown ? id : undefined, 'a known device keeps its id')
    t.equal(await idIn(await login(renewed), 'alice'), id)
  })

  test(`the list, roles and permissions of version ${version} are there`, async (t) => {
    const server = await start(t)
    const query = { keyword: 'a', pageSize: 100 }
    const all = await server.call<UserPage>('GET', '/system/user/page', { token: facts.tokens.admin, query })
    t.equal(all.body.data.total, facts.users)
    const own = await server.call<UserPage>('GET', '/system/user/page', {
      token: facts.tokens.alice,
      query: { pageSize: 100 },
    })
    t.equal(own.body.data.total, facts.own, 'alice reads her own tenant by her role')
    t.ok(
      own.body.data.records.every(({ tenantId }) => tenantId === 1),
      'and no other',
    )
  })

  // Version 0.1.0 stored its codes in another form: they have to be asked for again.
  const isCodeGood = version !== '0.1.0'
  test(`codes of version ${version}: the one-time code is ${isCodeGood ? 'good once' : 'asked for again'}, the captcha good once`, async (t) => {
    const server = await startServer(t, { data: dataOf(version), time: facts.codeAt, environment: echo })
    const signIn = (code: string, codeKey?: string) =>
      server.call('POST', '/auth/login', { json: { authType: 'phone_captcha', phone: '13800138000', code, codeKey } })
    if (isCodeGood) t.equal((await signIn(facts.code, facts.codeKey)).status, 200)
    expectProblem(t, await signIn(facts.code, facts.codeKey), 'invalid_code')
    server.clock.advance(60)
    const asked = await server.call<{ code: string; codeKey: string }>('POST', '/auth/captcha/sms', {
      json: { recipient: '13800138000' },
    })
    t.equal((await signIn(asked.body.data.code, asked.body.data.codeKey)).status, 200)
    const { code, codeKey } = facts.captcha
    const withCaptcha = {
      authType: 'password_captcha',
      username: 'admin',
      password: 'correct horse battery',
      code,
      codeKey,
    }
    t.equal((await server.call('POST', '/auth/login', { json: withCaptcha })).status, 200)
    expectProblem(t, await server.call('POST', '/auth/login', { json: withCaptcha }), 'invalid_code')
  })

  test(`codes and sessions of version ${version} end when they should: after ten days nothing of them is good`, async (t) => {
    const server = await start(t, facts.madeAt + 10 * 86_400_000)
    const json = { authType: 'phone_captcha', phone: '13800138000', code: facts.code, codeKey: facts.codeKey }
    expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_code')
    const answer = await server.call('POST', '/auth/refreshToken', { token: facts.tokens.alice })
    t.equal(answer.status, 401)
    t.notOk(answer.body.data.accessToken)
  })
}
