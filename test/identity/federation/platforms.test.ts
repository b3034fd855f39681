import { createHash } from 'node:crypto'
import { test, type Test } from 'tap'
import type { LoginResult } from '../../../schemas/login.js'
import type { AuthUrl, SocialTicket } from '../../../schemas/social.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { federation, redirectUri } from '../../helpers/peers/openid-provider.js'
import { startStandIn, type PlatformAnswer, type PlatformRequest } from '../../helpers/peers/platform-stand-in.js'
import { startServer } from '../../helpers/service/server.js'

const clientId = 'client-of-rollcall'
const clientSecret = '4f0e-secret-of-the-client'
const accessToken = '77aa-access-token'

interface Platform {
  kind: 'github' | 'gitee'
  scope: string
  authorizationPath: string
  tokenPath: string
  userPath: string
  /** What it sends as `iss`, below its address. */
  iss?: string
  /** What it says to a code that it does not know. */
  refusal: PlatformAnswer
}

const platforms: Platform[] = [
  {
    kind: 'github',
    scope: 'read:user',
    authorizationPath: '/login/oauth/authorize',
    tokenPath: '/login/oauth/access_token',
    userPath: '/api/v3/user',
    iss: '/login/oauth',
    refusal: {
      body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    },
  },
  {
    kind: 'gitee',
    scope: 'user_info',
    authorizationPath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    userPath: '/api/v5/user',
    refusal: { status: 401, body: { error: 'invalid_grant', error_description: 'The code is invalid' } },
  },
]

/** A stand-in that demands of its client what the platform documents, and a server that uses it. */
const start = async (t: Test, platform: Platform, answers: { token?: PlatformAnswer; user?: PlatformAnswer } = {}) => {
  const codes = new Map<string, string>()
  const answer = ({ path, method, parameters, headers }: PlatformRequest): PlatformAnswer => {
    const { code = '', code_verifier = '', ...others } = parameters
    if (path === platform.tokenPath && method === 'POST') {
      const challenge = codes.get(code)
      codes.delete(code)
      const isRight =
        JSON.stringify(Object.entries(others).sort()) ===
          JSON.stringify([
            ['client_id', clientId],
            ['client_secret', clientSecret],
            ['grant_type', 'authorization_code'],
            ['redirect_uri', redirectUri],
          ]) &&
        headers['accept'] === 'application/json' &&
        headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true &&
        createHash('sha256').update(code_verifier).digest('base64url') === challenge
      if (!isRight) return platform.refusal
      return answers.token ?? { body: { access_token: accessToken, token_type: 'bearer', scope: platform.scope } }
    }
    if (path === platform.userPath && method === 'GET') {
      const isRight = headers['authorization'] === `Bearer ${accessToken}` && headers['user-agent'] !== undefined
      if (!isRight) return { status: 401, body: { message: 'Bad credentials' } }
      return answers.user ?? { body: { id: 583231, login: 'octocat', name: 'The Octocat', email: 'a@example.com' } }
    }
    return { status: 404, body: { message: 'Not Found' } }
  }
  const standIn = await startStandIn(t, answer)
  const { kind } = platform
  const settings = { platform: kind, kind, clientId, clientSecret, baseUrl: standIn.url, redirectUris: [redirectUri] }
  const more = { unknownIdentity: 'register' }
  const lockout = { nameFailuresAnywhere: 100 }
  const server = await startServer(t, { settings: { lockout, ...federation([settings], more) } })
  const visit = async () => {
    const { authUrl, state } = expectSuccess(t, await server.call<AuthUrl>('GET', `/social/authUrl/${kind}`))
    const code = createHash('sha256').update(state).digest('hex').slice(0, 20)
    codes.set(code, new URL(authUrl).searchParams.get('code_challenge') ?? '')
    return { authUrl, back: { platform: kind, code, state } }
  }
  const callback = (json: object) => server.call<SocialTicket>('POST', '/social/callback', { json })
  const enter = async () => {
    const { back } = await visit()
    const json = { authType: 'oauth2', authCode: back.code, state: back.state }
    return { ...back, answer: await server.call<LoginResult>('POST', '/auth/login', { json }) }
  }
  const expectNothingSaid = () => {
    for (const secret of [clientSecret, accessToken])
      t.notOk(server.log().includes(secret.slice(0, 10)), 'not in the log')
  }
  return { server, standIn, visit, callback, enter, expectNothingSaid }
}

for (const platform of platforms) {
  const { kind } = platform

  test(`${kind}: people sign in as its documents say, with PKCE`, async (t) => {
    const { server, standIn, visit, callback, enter, expectNothingSaid } = await start(t, platform)
    const { authUrl, back } = await visit()
    const url = new URL(authUrl)
    t.equal(`${url.origin}${url.pathname}`, `${standIn.url}${platform.authorizationPath}`)
    const { code_challenge, ...query } = Object.fromEntries(url.searchParams)
    t.match(code_challenge, /^[\w-]{43}$/)
    t.same(query, {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: platform.scope,
      state: back.state,
      code_challenge_method: 'S256',
    })
    const ticket = await callback(back)
    const { socialTicket } = expectSuccess(t, ticket)
    t.notMatch(ticket.text, /octocat|583231|access-token/)
    const json = { authType: 'social', socialTicket }
    const first = expectSuccess(t, await server.call('POST', '/auth/login', { json }))
    t.match(first.userInfo, { username: `${kind}-octocat`, realName: 'octocat', email: null })
    const { answer } = await enter()
    t.equal(expectSuccess(t, answer).userInfo.userId, first.userInfo.userId)
    t.same(
      standIn.received.map(({ path }) => path),
      [platform.tokenPath, platform.userPath, platform.tokenPath, platform.userPath],
    )
    expectNothingSaid()
  })

  test(`O1: ${kind}: a wrong code, a code twice and a code of another beginning are refused`, async (t) => {
    const { server, visit, callback, expectNothingSaid } = await start(t, platform)
    const { back } = await visit()
    expectProblem(t, await callback({ ...back, code: 'another' }), 'invalid_grant')
    const { error } = platform.refusal.body as { error: string }
    t.match(server.log(), new RegExp(`"cause":"${kind}: [^\\n]*: ${error}"`), 'the log says the code of the platform')
    const one = (await visit()).back
    const two = (await visit()).back
    expectProblem(t, await callback({ ...one, code: two.code }), 'invalid_grant')
    expectProblem(t, await callback({ ...two }), 'invalid_grant')
    expectNothingSaid()
  })

  test(`O2: ${kind}: the \`iss\` that it sends is taken, any other is refused`, async (t) => {
    const { standIn, visit, callback } = await start(t, platform)
    const own = `${standIn.url}${platform.iss ?? ''}`
    expectSuccess(t, await callback({ ...(await visit()).back, iss: own }))
    const before = standIn.received.length
    for (const iss of ['https://evil.example.com', `${own}/`, `${standIn.url}/login`]) {
      expectProblem(t, await callback({ ...(await visit()).back, iss }), 'invalid_grant')
    }
    t.equal(standIn.received.length, before, 'the code goes nowhere')
  })

  test(`O4: ${kind}: a person is the id, never the name or the address`, async (t) => {
    let user: unknown = { id: 1, login: 'octocat', email: 'a@example.com' }
    const { enter } = await start(t, platform, {
      get user() {
        return { body: user }
      },
    })
    const first = expectSuccess(t, (await enter()).answer).userInfo
    user = { id: 2, login: 'octocat', email: 'a@example.com' }
    const second = expectSuccess(t, (await enter()).answer).userInfo
    t.not(second.userId, first.userId, 'the same name, another id')
    user = { id: 1, login: 'renamed', email: 'b@example.com' }
    t.equal(expectSuccess(t, (await enter()).answer).userInfo.userId, first.userId)
  })

  test(`${kind}: what is no person or no token lets nobody in`, async (t) => {
    const rows: { name: string; token?: PlatformAnswer; user?: PlatformAnswer; reason?: 'unavailable' }[] = [
      { name: 'no id', user: { body: { login: 'octocat' } } },
      { name: 'an id of null', user: { body: { id: null, login: 'octocat' } } },
      { name: 'a blank id', user: { body: { id: '', login: 'octocat' } } },
      { name: 'an id that is no integer', user: { body: { id: 1.5 } } },
      { name: 'an id beyond what numbers hold', user: { body: '{"id":9007199254740993}' } },
      { name: 'an id that is a list', user: { body: { id: [1] } } },
      { name: 'an endless id', user: { body: { id: '1'.repeat(256) } } },
      { name: 'null', user: { body: 'null' } },
      { name: 'a list', user: { body: [] } },
      { name: 'a page', user: { type: 'text/html', body: '<html>' } },
      { name: 'a refusal', user: { status: 403, body: { id: 1, message: 'rate limit' } } },
      { name: 'created', user: { status: 201, body: { id: 1 } } },
      { name: 'a failure', user: { status: 502, body: { id: 1 } }, reason: 'unavailable' },
      {
        name: 'a token with a line break',
        token: { body: { access_token: `${accessToken}\n`, token_type: 'bearer' } },
        reason: 'unavailable',
      },
      { name: 'no token', token: { body: { token_type: 'bearer' } } },
      { name: 'a blank token', token: { body: { access_token: '', token_type: 'bearer' } } },
      { name: 'a token as form fields', token: { body: `access_token=${accessToken}&token_type=bearer` } },
      { name: 'our secret', token: { status: 400, body: { error: clientSecret } } },
      { name: 'a failure', token: { status: 500, body: clientSecret }, reason: 'unavailable' },
    ]
    const answers: { token?: PlatformAnswer; user?: PlatformAnswer } = {}
    const { server, enter, expectNothingSaid } = await start(t, platform, answers)
    for (const { name, reason = 'invalid_grant', token, user } of rows) {
      Object.assign(answers, { token, user })
      const { answer, code } = await enter()
      t.comment(name)
      expectProblem(t, answer, reason)
      for (const secret of [clientSecret, accessToken, code]) t.notOk(answer.text.includes(secret))
      t.notOk(server.log().includes(code.slice(0, 10)), 'the code is not in the log')
    }
    expectNothingSaid()
    Object.assign(answers, { token: undefined, user: undefined })
    expectSuccess(t, (await enter()).answer)
  })
}
