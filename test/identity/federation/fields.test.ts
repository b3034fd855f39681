import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startFederation } from '../../helpers/peers/federation.js'
import type { Answer } from '../../helpers/service/server.js'

/** Values that are no text, and what becomes of them. */
const noText: unknown[] = [7, true, ['text'], { text: 'text' }, { $ne: null }]
const blanks: unknown[] = [undefined, null, '']
const tooLong = 'x'.repeat(1025)

const expectFields = (t: Test, answer: Answer, fields: string[]) => {
  expectProblem(t, answer, 'invalid_request', fields)
  for (const { message } of answer.body.data.violations) t.type(message, 'string')
}

test('what a callback needs and lacks is named, and so is what is of the wrong type', async (t) => {
  const { visit, callback, provider } = await startFederation(t)
  expectFields(t, await callback({}), ['platform', 'code', 'state'])
  const right = {
    platform: 'corporate',
    code: 'code',
    state: 'corporate_state',
    verifier: 'verifier',
    iss: 'iss',
    tenantId: 1,
    userClient: 'pc',
  }
  for (const field of ['platform', 'code', 'state'] as const) {
    for (const value of blanks) {
      const answer = await callback({ ...right, [field]: value })
      expectFields(t, answer, [field])
      t.match(answer.text, '"message":"is required"')
    }
  }
  for (const field of ['platform', 'code', 'state', 'verifier', 'iss'] as const) {
    for (const value of [...noText, tooLong, 'a\0b']) {
      expectFields(t, await callback({ ...right, [field]: value }), [field])
    }
  }
  for (const value of ['x', '1.5', 1.5, 0, -1, true, [1]]) {
    expectFields(t, await callback({ ...right, tenantId: value }), ['tenantId'])
  }
  for (const value of ['desktop', 'PC', 7, ['pc']]) {
    expectFields(t, await callback({ ...right, userClient: value }), ['userClient'])
  }
  t.same(provider('corporate').received, [], 'nothing of it went anywhere')
  const more = { iss: null, verifier: null, tenantId: '1', userClient: '', appId: 'x', encrypted: true }
  expectSuccess(t, await callback({ ...(await visit()), ...more }))
})

test('a callback may come as form fields', async (t) => {
  const { server, visit } = await startFederation(t)
  const form = { ...(await visit()), verifier: '', tenantId: '', userClient: 'pc' }
  expectSuccess(t, await server.call('POST', '/social/callback', { form }))
})

test('what begins a sign-in is looked at before anybody is asked', async (t) => {
  const { server, begin, provider } = await startFederation(t)
  const rows: [query: string, fields: string[]][] = [
    ['tenantId=x', ['tenantId']],
    ['tenantId=0', ['tenantId']],
    ['tenantId=1.5', ['tenantId']],
    ['userClient=desktop', ['userClient']],
    ['redirectUri=/social', ['redirectUri']],
    [`redirectUri=${tooLong}`, ['redirectUri']],
    ['userClient=desktop&tenantId=x', ['tenantId', 'userClient']],
  ]
  for (const [query, fields] of rows) expectFields(t, await begin('corporate', { query }), fields)
  for (const platform of ['elsewhere', 'Corporate', 'corporate%20', 'corporate%00', 'a'.repeat(33), 'toString']) {
    const answer = await begin(platform)
    expectFields(t, answer, ['platform'])
    t.notOk(answer.headers.has('set-cookie'))
  }
  t.same(provider('corporate').received, [])
  expectSuccess(t, await begin('corporate', { query: 'tenantId=&userClient=&redirectUri=' }))
  expectFields(t, await server.call('GET', '/social/platforms', { query: 'tenantId=x' }), ['tenantId'])
  expectSuccess(t, await server.call('GET', '/social/platforms', { query: 'tenantId=' }))
})

test('a sign-in by an identity names what it lacks', async (t) => {
  const { signIn } = await startFederation(t)
  const rows: [json: object, fields: string[]][] = [
    [{ authType: 'social' }, ['socialTicket']],
    [{ authType: 'social', authCode: 'code', state: 'state' }, ['socialTicket']],
    [{ authType: 'social', userClient: 'wechat', authCode: 'code' }, ['socialTicket']],
    [{ authType: 'oauth2' }, ['authCode', 'state']],
    [{ authType: 'oauth2', authCode: 'code' }, ['state']],
    [{ authType: 'oauth2', state: 'state' }, ['authCode']],
    [{ authType: 'oauth2', userClient: 'app', authCode: 'code' }, ['state']],
    [{ authType: 'oauth2', userClient: 'wechat' }, ['authCode']],
    [{ authType: 'oauth2', userClient: 'wechat', state: 'state' }, ['authCode']],
    ...blanks.map((value): [object, string[]] => [{ authType: 'social', socialTicket: value }, ['socialTicket']]),
    ...blanks.map((value): [object, string[]] => [{ authType: 'oauth2', socialTicket: value }, ['authCode', 'state']]),
    ...blanks.map((value): [object, string[]] => [{ authType: 'oauth2', authCode: 'code', state: value }, ['state']]),
    ...['authCode', 'state', 'verifier', 'iss', 'socialTicket'].flatMap((field) =>
      [...noText, tooLong, 'a\0b'].map((value): [object, string[]] => [
        { authType: 'oauth2', authCode: 'code', state: 'state', socialTicket: 'ticket', [field]: value },
        [field],
      ]),
    ),
  ]
  for (const [json, fields] of rows) expectFields(t, await signIn(json), fields)
  const wrong = { authType: 'social', socialTicket: '0'.repeat(64) }
  expectProblem(t, await signIn(wrong), 'invalid_grant')
  expectProblem(t, await signIn({ authType: 'oauth2', authCode: 'code', state: 'state' }), 'invalid_grant')
  expectProblem(t, await signIn({ authType: 'oauth2', userClient: 'wechat', authCode: 'code' }), 'invalid_grant')
})

test('a link names what it lacks', async (t) => {
  const { server } = await startFederation(t)
  const { accessToken: token } = await server.signIn()
  for (const socialTicket of [...blanks, ...noText, tooLong]) {
    expectFields(t, await server.call('POST', '/social/bind', { token, json: { socialTicket } }), ['socialTicket'])
  }
  for (const id of ['0', '-1', 'x', '1.5', '1e1', '%20', '1%00', '0x1']) {
    expectFields(t, await server.call('DELETE', `/social/bind/${id}`, { token }), ['id'])
  }
  expectProblem(t, await server.call('DELETE', `/social/bind/${'9'.repeat(30)}`, { token }), 'not_found')
})

test('O7: a ticket is good for one use: a sign-in, or a link, whatever comes of it', async (t) => {
  const { server, ticketOf, signIn } = await startFederation(t)
  const { accessToken: token } = await server.signIn()
  const uses = {
    social: (socialTicket: string) => signIn({ authType: 'social', socialTicket }),
    oauth2: (socialTicket: string) => signIn({ authType: 'oauth2', socialTicket }),
    link: (socialTicket: string) => server.call('POST', '/social/bind', { token, json: { socialTicket } }),
  }
  for (const [index, first] of Object.values(uses).entries()) {
    for (const second of Object.values(uses)) {
      const ticket = await ticketOf(`person-${index}`, 'corporate', { token })
      await first(ticket)
      expectProblem(t, await second(ticket), 'invalid_grant')
      t.notOk(server.log().includes(ticket), 'it is not in the log')
    }
  }
})

test('O7: neither a ticket nor anything else of a provider is in what is listed', async (t) => {
  const { server, signIn, ticketOf, provider } = await startFederation(t)
  const socialTicket = await ticketOf()
  const { accessToken: token } = expectSuccess(t, await signIn({ authType: 'social', socialTicket }))
  for (const path of ['/social/bind', '/auth/userInfo', '/auth/sessions', '/auth/loginConfig', '/social/platforms']) {
    const { text } = await server.call('GET', path, { token })
    const { secrets, issuer, clientId } = provider('corporate')
    for (const secret of [...secrets, socialTicket, issuer, `"${clientId}"`]) t.notOk(text.includes(secret), path)
  }
})

test('O8: there is no OAuth endpoint, so that there are no password and no implicit grant', async (t) => {
  const { server, signIn } = await startFederation(t)
  const form = { grant_type: 'password', username: 'admin', password: 'correct horse battery', client_id: 'x' }
  for (const path of ['/oauth/token', '/oauth2/token', '/oauth/authorize', '/auth/token', '/token', '/authorize']) {
    for (const method of ['GET', 'POST']) {
      expectProblem(t, await server.call(method, path, method === 'POST' ? { form } : {}), 'not_found')
    }
  }
  for (const authType of ['refresh_token', 'client_credentials', 'implicit', 'authorization_code', 'token']) {
    expectProblem(t, await signIn({ ...form, authType }), 'unsupported_auth_type')
  }
  const { paths } = (await (await fetch(`${server.origin}/openapi.json`)).json()) as { paths: object }
  t.notMatch(Object.keys(paths).join(), /oauth|token$|authorize/)
  const { username, password } = form
  const answer = await signIn({ username, password, response_type: 'token', redirect_uri: 'https://evil.example.org' })
  expectSuccess(t, answer)
  t.notOk(answer.headers.has('location'), 'a token is never put into an address')
})
