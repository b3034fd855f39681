import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import type { LoginResult } from '../../../schemas/login.js'
import type { AuthUrl } from '../../../schemas/social.js'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { federation, redirectUri } from '../../helpers/peers/openid-provider.js'
import { startStandIn, type PlatformAnswer, type PlatformRequest } from '../../helpers/peers/platform-stand-in.js'
import { startServer } from '../../helpers/service/server.js'

const appid = 'wx0000000000000001'
const secret = '6c1d-secret-of-the-app'
const accessToken = '91bd-access-token'
const sessionKey = 'c2Vzc2lvbi1rZXkgb2YgV2VDaGF0=='
const miniAppid = 'wx0000000000000002'

interface Person {
  openid?: unknown
  unionid?: unknown
  nickname?: unknown
}

/** What the stand-in answers in place of what is right. */
interface Answers {
  exchange?: unknown
  person?: unknown
  session?: unknown
}

const sortedKeys = (parameters: object) => Object.keys(parameters).sort().join()

/** A stand-in for WeChat: web pages and a mini-program. A code is good once; everything comes as text. */
const start = async (t: Test, answers: Answers = {}, more: object = {}) => {
  const people = new Map<string, Person>()
  let current: Person = {}
  const asText = (body: unknown): PlatformAnswer => ({ type: 'text/plain', body })
  const take = (code = '') => {
    const person = people.get(code)
    people.delete(code)
    return person
  }
  const answer = ({ path, method, parameters, headers }: PlatformRequest): PlatformAnswer => {
    if (method !== 'GET' || headers['authorization'] !== undefined) return { status: 405, body: '' }
    if (path === '/sns/oauth2/access_token') {
      const isRight =
        sortedKeys(parameters) === 'appid,code,grant_type,secret' &&
        parameters['appid'] === appid &&
        parameters['secret'] === secret &&
        parameters['grant_type'] === 'authorization_code'
      const person = take(parameters['code'])
      if (!isRight || !person)
        return asText({ errcode: 40029, errmsg: `invalid code, rid: ${parameters['code'] ?? ''}` })
      current = person
      const { openid, unionid } = person
      const right = {
        access_token: accessToken,
        expires_in: 7200,
        refresh_token: 'r',
        openid,
        unionid,
        scope: 'snsapi_login',
      }
      return asText(answers.exchange ?? right)
    }
    if (path === '/sns/userinfo') {
      const isRight =
        sortedKeys(parameters) === 'access_token,openid' &&
        parameters['access_token'] === accessToken &&
        parameters['openid'] === current.openid
      if (!isRight) return asText({ errcode: 40001, errmsg: 'invalid credential' })
      return asText(answers.person ?? { ...current, sex: 1, headimgurl: 'https://example.com/a.png', privilege: [] })
    }
    if (path === '/sns/jscode2session') {
      const isRight =
        sortedKeys(parameters) === 'appid,grant_type,js_code,secret' &&
        parameters['appid'] === miniAppid &&
        parameters['secret'] === secret &&
        parameters['grant_type'] === 'authorization_code'
      const person = take(parameters['js_code'])
      if (!isRight) return asText({ errcode: 40013, errmsg: 'invalid appid' })
      if (!person) return asText({ errcode: 40163, errmsg: 'code been used' })
      return asText(answers.session ?? { openid: person.openid, unionid: person.unionid, session_key: sessionKey })
    }
    return { status: 404, body: '' }
  }
  const standIn = await startStandIn(t, answer)
  const shared = { clientSecret: secret, baseUrl: standIn.url }
  const providers = [
    { ...shared, platform: 'wechat', kind: 'wechat', clientId: appid, redirectUris: [redirectUri] },
    { ...shared, platform: 'mini', kind: 'wechatMiniProgram', clientId: miniAppid },
  ]
  const settings = {
    lockout: { nameFailuresAnywhere: 100 },
    ...federation(providers, { unknownIdentity: 'register', ...more }),
  }
  const server = await startServer(t, { settings })
  /** A code that WeChat has given to somebody. */
  const codeOf = (person: Person): string => {
    const code = `${randomBytes(8).toString('hex')}-code`
    people.set(code, person)
    return code
  }
  const login = (json: object) =>
    server.call<LoginResult>('POST', '/auth/login', { json: { authType: 'oauth2', ...json } })
  const begin = async () => expectSuccess(t, await server.call<AuthUrl>('GET', '/social/authUrl/wechat'))
  return {
    server,
    standIn,
    codeOf,
    login,
    begin,
    onWeb: async (person: Person) => login({ authCode: codeOf(person), state: (await begin()).state }),
    inMiniProgram: (person: Person) => login({ authCode: codeOf(person), userClient: 'wechat' }),
    expectNothingSaid: (...more: string[]) => {
      for (const word of [secret, accessToken, sessionKey, 'session_key', ...more]) {
        t.notOk(server.log().includes(word.slice(0, 10)), `${word.slice(0, 10)}… is not in the log`)
      }
    },
  }
}

test('people sign in on web pages by the WeChat app, as its documents say', async (t) => {
  const { server, standIn, begin, codeOf, onWeb, expectNothingSaid } = await start(t)
  const { authUrl, state } = await begin()
  const url = new URL(authUrl)
  t.equal(`${url.origin}${url.pathname}`, `${standIn.url}/connect/qrconnect`)
  t.equal(url.hash, '#wechat_redirect')
  t.same(Object.fromEntries(url.searchParams), {
    appid,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'snsapi_login',
    state,
  })
  t.ok(state.length <= 128, 'no longer than WeChat keeps')
  const code = codeOf({ openid: 'open-1', nickname: 'Zhang San' })
  const json = { platform: 'wechat', code, state }
  const ticket = await server.call('POST', '/social/callback', { json })
  const { socialTicket } = expectSuccess(t, ticket)
  const answer = await server.call('POST', '/auth/login', { json: { authType: 'social', socialTicket } })
  const { userInfo } = expectSuccess(t, answer)
  t.match(userInfo, { username: 'wechat-Zhang-San', realName: 'Zhang San' })
  const again = await onWeb({ openid: 'open-1', nickname: 'Renamed' })
  t.equal(expectSuccess(t, again).userInfo.userId, userInfo.userId)
  for (const { text } of [ticket, answer, again]) t.notMatch(text, /open-1|access-token|secret-of/)
  expectNothingSaid(code)
})

test('O7: a mini-program signs in by its code alone, and the session key stays with us', async (t) => {
  const { server, standIn, codeOf, login, inMiniProgram, expectNothingSaid } = await start(t)
  const authCode = codeOf({ openid: 'open-2' })
  const answer = await login({ authCode, userClient: 'wechat' })
  const { userInfo } = expectSuccess(t, answer)
  t.match(userInfo, { username: /^mini-[0-9a-f]{12}$/, userClient: 'wechat' })
  t.notMatch(answer.text, /session_key|c2Vzc2lvbi1|open-2/)
  t.equal(expectSuccess(t, await inMiniProgram({ openid: 'open-2' })).userInfo.userId, userInfo.userId)
  t.not(expectSuccess(t, await inMiniProgram({ openid: 'open-3' })).userInfo.userId, userInfo.userId)
  expectProblem(t, await login({ authCode, userClient: 'wechat' }), 'invalid_grant')
  for (const userClient of ['pc', 'app', 'h5']) {
    expectProblem(t, await login({ authCode: codeOf({ openid: 'open-2' }), userClient }), 'invalid_request', ['state'])
  }
  t.same([...new Set(standIn.received.map(({ path }) => path))], ['/sns/jscode2session'])
  const offered = expectSuccess(t, await server.call('GET', '/social/platforms'))
  t.same(
    offered.map(({ platform }: { platform: string }) => platform),
    ['wechat'],
    'a mini-program has no page to be sent to',
  )
  expectNothingSaid(authCode)
})

test('O7: of 50 sign-ins at once by one code of a mini-program exactly one succeeds', async (t) => {
  const { server, codeOf, login } = await start(t)
  const authCode = codeOf({ openid: 'open-4' })
  const answers = await parallel(50, () => login({ authCode, userClient: 'wechat' }))
  t.same(tally(answers), { 200: 1, invalid_grant: 49 })
  const { accessToken: token } = await server.signIn()
  t.equal((await server.call('GET', '/system/user/page', { token })).body.data.total, 2)
})

test('O4: with a unionid a person is one on the web and in the mini-program, without it two', async (t) => {
  const { onWeb, inMiniProgram } = await start(t)
  const userOf = async (answer: ReturnType<typeof onWeb>) => expectSuccess(t, await answer).userInfo.userId
  const one = await userOf(onWeb({ openid: 'web-1', unionid: 'union-1' }))
  t.equal(await userOf(inMiniProgram({ openid: 'mini-1', unionid: 'union-1' })), one)
  t.not(await userOf(inMiniProgram({ openid: 'mini-1', unionid: 'union-2' })), one)

  const web = await userOf(onWeb({ openid: 'same' }))
  t.not(await userOf(inMiniProgram({ openid: 'same' })), web, 'an openid is one person in one app only')
  t.not(await userOf(onWeb({ openid: 'x', unionid: 'same' })), web, 'a unionid is no openid')
})

test('an error of WeChat that says "wrong" is a refusal, one that says "busy" an outage', async (t) => {
  const answers: Answers = {}
  const { onWeb, inMiniProgram, expectNothingSaid } = await start(t, answers)
  const rows: [answer: unknown, reason: 'invalid_grant' | 'unavailable'][] = [
    [{ errcode: 40029, errmsg: 'invalid code' }, 'invalid_grant'],
    [{ errcode: 40163, errmsg: 'code been used' }, 'invalid_grant'],
    [{ errcode: 40226, errmsg: 'code blocked' }, 'invalid_grant'],
    [{ errcode: 40125, errmsg: `invalid appsecret ${secret}` }, 'invalid_grant'],
    [{ errcode: secret, errmsg: secret }, 'invalid_grant'],
    [{ errcode: { secret }, openid: 'open-1' }, 'invalid_grant'],
    [{ errcode: 40029, openid: 'open-1', access_token: accessToken, session_key: sessionKey }, 'invalid_grant'],
    [{ errcode: -1, errmsg: 'system error' }, 'unavailable'],
    [{ errcode: 45011, errmsg: 'api minute-quota reach limit' }, 'unavailable'],
    [{}, 'invalid_grant'],
    ['null', 'invalid_grant'],
    [[], 'invalid_grant'],
    ['', 'invalid_grant'],
    [secret, 'invalid_grant'],
    [`{"session_key":"${sessionKey}", broken`, 'invalid_grant'],
    [sessionKey.slice(0, 12), 'invalid_grant'],
    [{ openid: '', session_key: sessionKey }, 'invalid_grant'],
    [{ openid: 7, session_key: sessionKey, access_token: accessToken }, 'invalid_grant'],
    [{ openid: 'a'.repeat(256), session_key: sessionKey, access_token: accessToken }, 'invalid_grant'],
  ]
  for (const [answer, reason] of rows) {
    Object.assign(answers, { exchange: answer, session: answer, person: undefined })
    const name = JSON.stringify(answer).slice(0, 60)
    for (const refused of [await onWeb({ openid: 'open-1' }), await inMiniProgram({ openid: 'open-1' })]) {
      t.comment(name)
      expectProblem(t, refused, reason)
      t.equal(refused.headers.has('retry-after'), reason === 'unavailable')
      t.notMatch(refused.text, /secret|session_key|c2Vzc2lvbi1|errcode|errmsg|WeChat/)
    }
    Object.assign(answers, { exchange: undefined, session: undefined, person: answer })
    expectProblem(t, await onWeb({ openid: 'open-1' }), reason)
  }
  expectNothingSaid()
  Object.assign(answers, { person: { openid: 'somebody-else' } })
  expectProblem(t, await onWeb({ openid: 'open-1' }), 'invalid_grant')
  Object.assign(answers, { person: undefined })
  expectSuccess(t, await onWeb({ openid: 'open-1' }))
  expectSuccess(t, await inMiniProgram({ openid: 'open-1' }))
})

test('O1: the page of WeChat gives its code to the beginning that it belongs to, and once', async (t) => {
  const { server, codeOf, login, begin } = await start(t)
  const { state } = await begin()
  const authCode = codeOf({ openid: 'open-1' })
  expectProblem(t, await login({ authCode, state: `${state}x` }), 'invalid_grant')
  expectProblem(t, await login({ authCode, state, userClient: 'wechat', tenantId: 9 }), 'tenant_disabled')
  expectProblem(t, await login({ authCode: codeOf({ openid: 'open-1' }), state }), 'invalid_grant')
  const json = { platform: 'mini', code: codeOf({ openid: 'open-1' }), state: (await begin()).state }
  expectProblem(t, await server.call('POST', '/social/callback', { json }), 'invalid_grant')
})

test('an identity of a mini-program that nobody linked is refused where the configuration says so', async (t) => {
  const { inMiniProgram } = await start(t, {}, { unknownIdentity: 'refuse' })
  expectProblem(t, await inMiniProgram({ openid: 'open-1' }), 'invalid_grant', ['socialTicket'])
})
