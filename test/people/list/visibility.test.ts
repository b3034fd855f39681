import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { askPage, insertUsers, namesOf, signInAs } from '../../helpers/service/users.js'

const list = ['system:user:list']
const all = ['system:user:*']

test('nobody reads the list without a token that works', async (t) => {
  const server = await startServer(t)
  const missing = await askPage(server, undefined)
  expectProblem(t, missing, 'token_missing')
  t.equal(missing.headers.get('www-authenticate'), 'Bearer realm="rollcall"')
  const invalid = await askPage(server, 'rubbish')
  expectProblem(t, invalid, 'token_invalid')
  t.match(invalid.headers.get('www-authenticate'), 'error="invalid_token"')
  const { accessToken: token } = await server.signIn()
  const inQuery = await askPage(server, undefined, { access_token: token, token, Authorization: `Bearer ${token}` })
  expectProblem(t, inQuery, 'token_missing')
  expectProblem(t, await askPage(server, undefined, 'pageNum=abc'), 'token_missing')
  await server.call('POST', '/auth/logout', { token })
  expectProblem(t, await askPage(server, token), 'session_revoked')
})

test('the list needs the permission system:user:list, granted as such or by wildcard', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, permissions: string[] | undefined, isAllowed: boolean][] = [
    ['no role', undefined, false],
    ['a role without permissions', [], false],
    ['the permission itself', list, true],
    ['everything', ['*:*:*'], true],
    ['everything of the module', ['system:*:*'], true],
    ['everything of the resource', ['system:user:*'], true],
    ['listing of everything', ['*:*:list'], true],
    ['one of several', ['system:role:list', 'system:user:list'], true],
    ['another action', ['system:user:add'], false],
    ['another resource', ['system:role:*'], false],
    ['another module', ['monitor:*:*'], false],
    ['a longer name', ['system:users:list', 'system:user:lists', 'system2:user:list'], false],
    ['other letters', ['SYSTEM:USER:LIST'], false],
  ]
  for (const [index, [sentence, permissions, isAllowed]] of rows.entries()) {
    await t.test(sentence, async (t) => {
      const token = await signInAs(server, `caller${index}`, permissions ? { permissions } : {})
      const answer = await askPage(server, token)
      if (isAllowed) {
        t.ok(namesOf(expectSuccess(t, answer)).includes(`caller${index}`))
        return
      }
      expectProblem(t, answer, 'permission_denied')
      t.notMatch(answer.text, /records|system:/)
      expectProblem(t, await askPage(server, token, 'pageNum=abc&orderByColumn=password'), 'permission_denied')
    })
  }
})

test('to filter or sort by masked phone numbers and addresses takes a permission of its own', async (t) => {
  const server = await startServer(t)
  await insertUsers(server, [{ username: 'alice', phone: '13800138000', email: 'alice@example.com' }])
  const readers = {
    none: await signInAs(server, 'reader', { permissions: list }),
    contact: await signInAs(server, 'supporter', { permissions: [...list, 'system:user:contact'] }),
    wildcard: await signInAs(server, 'manager', { permissions: ['system:user:*'] }),
  }
  const asked = [
    'phone=13800138000',
    'phone=abc',
    'email=alice@example.com',
    'email=nobody@example.com',
    'orderByColumn=phone',
    'orderByColumn=email&isAsc=desc',
    'orderByColumn=username,phone&isAsc=asc,desc',
    'keyword=alice&email=ALICE@example.com',
  ]
  for (const query of asked) {
    await t.test(query, async (t) => {
      const refused = await askPage(server, readers.none, query)
      expectProblem(t, refused, 'permission_denied')
      t.notMatch(refused.text, /records|total|alice/)
      for (const token of [readers.contact, readers.wildcard]) {
        const { records } = expectSuccess(t, await askPage(server, token, query))
        t.equal(records.length > 0, !/abc|nobody/.test(query))
        t.notMatch(JSON.stringify(records), /13800138000|alice@example/, 'and they stay masked')
      }
    })
  }
  for (const query of ['', 'phone=&email=', 'orderByColumn=', 'orderByColumn=username']) {
    const { total } = expectSuccess(t, await askPage(server, readers.none, query))
    t.equal(total, 5, `blank is absent: ${query}`)
  }
  expectProblem(t, await askPage(server, readers.none, 'phone=13800138000&isAsc=up'), 'invalid_request')
})

test('who sees masked contacts finds nobody by them with a search, only by names', async (t) => {
  const server = await startServer(t)
  await insertUsers(server, [
    { username: 'alice', phone: '13800138000', email: 'alice@example.com' },
    { username: 'n13800138000', realName: 'alice@example.com' },
  ])
  const reader = await signInAs(server, 'reader', { permissions: list })
  const supporter = await signInAs(server, 'supporter', { permissions: [...list, 'system:user:contact'] })
  const find = async (token: string, search: string) =>
    namesOf(expectSuccess(t, await askPage(server, token, { search }))).sort()
  // In turns: an answer for one is not one for the other.
  for (let round = 0; round < 2; round++) {
    for (const search of ['13800138000', 'ALICE@example.com']) {
      t.strictSame(await find(supporter, search), ['alice', 'n13800138000'])
      t.strictSame(await find(reader, search), ['n13800138000'])
    }
    t.strictSame(await find(reader, '138 0013 8000'), [])
    t.strictSame(await find(supporter, '138 0013 8000'), ['alice'])
    t.strictSame(await find(reader, 'alice'), ['alice', 'n13800138000'])
  }
})

test('being an administrator by type alone opens nothing', async (t) => {
  const server = await startServer(t)
  for (const userType of [0, 1, 2]) {
    expectProblem(
      t,
      await askPage(server, await signInAs(server, `type${userType}`, { userType })),
      'permission_denied',
    )
  }
})

test('a permission granted meanwhile works with the next request', async (t) => {
  const server = await startServer(t)
  const token = await signInAs(server, 'carol', { permissions: [] })
  expectProblem(t, await askPage(server, token), 'permission_denied')
  await server.operator.grant('role-of-carol', list)
  expectSuccess(t, await askPage(server, token))
})

test('who must change the password first reads no list', async (t) => {
  const server = await startServer(t)
  const token = await signInAs(server, 'fresh', { permissions: ['*:*:*'], forcePasswordChange: true })
  const refused = await askPage(server, token)
  expectProblem(t, refused, 'password_change_required')
  t.notMatch(refused.text, 'records')
  t.equal((await server.call('HEAD', '/system/user/page', { token })).status, 403)
  t.equal((await server.call('GET', '//system/user/page', { token })).status, 403)
  t.equal((await server.call('GET', '/auth/../system/user/page', { token })).status, 403)
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 200)
  const json = { oldPassword: userPassword, newPassword: 'another green teapot' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
  expectSuccess(t, await askPage(server, token))
})

const startWithTenants = async (t: Test) => {
  const server = await startServer(t)
  const { id: acme } = await server.operator.addTenant('Acme')
  const { id: zeta } = await server.operator.addTenant('Zeta')
  await insertUsers(server, [
    { username: 'alice', realName: 'Alice of Default', phone: '13800138000', email: 'alice@example.com' },
    { username: 'alice', realName: 'Alice of Acme', tenantId: acme, phone: '13800138000', email: 'alice@example.com' },
    { username: 'zoe', realName: 'Zoe of Zeta', tenantId: zeta },
  ])
  return { server, acme, zeta }
}

test('a caller sees the own tenant only, whatever is asked for', async (t) => {
  const { server, acme, zeta } = await startWithTenants(t)
  const callers: [sentence: string, userType: number, permissions: string[]][] = [
    ['a user', 2, all],
    ['a user who may do everything', 2, ['*:*:*']],
    ['an administrator of the tenant', 1, ['*:*:*']],
  ]
  const everybody = ['alice', 'caller0', 'caller1', 'caller2']
  const tokens: string[] = []
  for (const [index, [, userType, permissions]] of callers.entries()) {
    tokens.push(await signInAs(server, `caller${index}`, { tenantId: acme, userType, permissions }))
  }
  const rows: [query: string, names: string[]][] = [
    ['', everybody],
    [`tenantId=${acme}`, everybody],
    ['tenantId=', everybody],
    ['tenantId=1', []],
    [`tenantId=${zeta}`, []],
    ['tenantId=0', []],
    ['tenantId=-1', []],
    ['tenantId=999999', []],
    ['username=alice', ['alice']],
    ['username=admin', []],
    ['keyword=zoe', []],
    ['keyword=of Default', []],
    ['phone=13800138000', ['alice']],
    ['email=alice@example.com', ['alice']],
    [`tenant_id=1&tenantid=1&TenantId=1`, everybody],
    ['orderByColumn=tenantId&isAsc=desc', everybody],
    ['tenantId=1&username=alice', []],
  ]
  for (const [index, [sentence]] of callers.entries()) {
    await t.test(sentence, async (t) => {
      for (const [query, names] of rows) {
        const answer = await askPage(server, tokens[index], query)
        const data = expectSuccess(t, answer)
        t.same(namesOf(data).sort(), names, query)
        t.equal(data.total, names.length, `the total of ${query} tells nothing of others`)
        t.notMatch(answer.text, /of Default|of Zeta|"tenantId":1\b/)
      }
      const twice = await askPage(server, tokens[index], `tenantId=${acme}&tenantId=1`)
      expectProblem(t, twice, 'invalid_request', ['tenantId'])
    })
  }
})

test('a system administrator sees all tenants, or the one asked for', async (t) => {
  const { server, acme, zeta } = await startWithTenants(t)
  const { accessToken: admin } = await server.signIn()
  const guest = await signInAs(server, 'guest', { tenantId: zeta, userType: 0, permissions: all })
  const rows: [query: string, names: string[]][] = [
    ['', ['admin', 'alice', 'alice', 'guest', 'zoe']],
    ['tenantId=1', ['admin', 'alice']],
    [`tenantId=${acme}`, ['alice']],
    [`tenantId=${zeta}`, ['guest', 'zoe']],
    ['tenantId=999999', []],
    ['username=alice', ['alice', 'alice']],
    [`username=alice&tenantId=${acme}`, ['alice']],
    ['phone=13800138000', ['alice', 'alice']],
  ]
  for (const token of [admin, guest]) {
    for (const [query, names] of rows) {
      const data = expectSuccess(t, await askPage(server, token, query))
      t.same(namesOf(data).sort(), names, query)
      t.equal(data.total, names.length)
    }
  }
  const [ofAcme] = expectSuccess(t, await askPage(server, admin, `tenantId=${acme}`)).records
  t.match(ofAcme, { tenantId: acme, tenantName: 'Acme', realName: 'Alice of Acme' })
})

test('a role of one tenant opens nothing in another', async (t) => {
  const { server, acme } = await startWithTenants(t)
  await server.operator.addRole('twin', 'Twin', list, 1)
  await server.operator.addRole('twin', 'Twin', [], acme)
  await server.addUser('dora', { tenantId: acme, roles: ['twin'] })
  const { accessToken: token } = await server.signIn('dora', userPassword, { tenantId: acme })
  expectProblem(t, await askPage(server, token), 'permission_denied')
})

test('phone numbers and addresses are whole where somebody who sees contacts asks for it, and masked for everybody else', async (t) => {
  const server = await startServer(t)
  await insertUsers(server, [{ username: 'alice', phone: '13800138000', email: 'alice@example.com' }])
  const [seeing, other] = [
    await signInAs(server, 'seeing', { permissions: all }),
    await signInAs(server, 'other', { permissions: list }),
  ]
  const of = async (token: string, query: string) => {
    const { records } = expectSuccess(t, await askPage(server, token, `username=alice${query}`))
    return [records[0].phone, records[0].email]
  }
  const masked = ['138******8000', 'a******e@example.com']
  const whole = ['13800138000', 'alice@example.com']
  // Each twice: pages are kept, and one is not answered in place of the other.
  for (const round of [1, 2]) {
    t.strictSame(await of(seeing, ''), masked, `${round}: as existing front ends read it`)
    t.strictSame(await of(seeing, '&contacts=true'), whole, `${round}: whole`)
    t.strictSame(await of(seeing, '&contacts=true&avatars=true'), whole, `${round}: with pictures`)
    t.strictSame(await of(seeing, '&contacts=false'), masked)
    t.strictSame(await of(other, ''), masked)
    for (const query of ['contacts=true', 'contacts=true&avatars=true']) {
      const refused = await askPage(server, other, query)
      expectProblem(t, refused, 'permission_denied')
      t.notMatch(refused.text, /13800138000|alice@/)
    }
  }
})
