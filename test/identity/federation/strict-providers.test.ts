import type { ServerResponse } from 'node:http'
import { test, type Test } from 'tap'
import type { AuthUrl } from '../../../schemas/social.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startHostileProvider } from '../../helpers/peers/hostile-provider.js'
import { federation, startOpenIdProvider, type OpenIdProvider } from '../../helpers/peers/openid-provider.js'
import { startServer } from '../../helpers/service/server.js'

const start = async (t: Test, provider: OpenIdProvider, more: object = {}, tolerance: object = {}) => {
  const settings = federation([{ ...provider.settings, ...more }], { unknownIdentity: 'register', ...tolerance })
  const server = await startServer(t, { settings, time: Date.now() })
  /** Signs in at the provider and comes back. */
  const enter = async (login: string) => {
    const { body } = await server.call<AuthUrl>('GET', '/social/authUrl/corporate')
    const { code: authCode, state } = await provider.visit(body.data.authUrl, login)
    return server.call('POST', '/auth/login', { json: { authType: 'oauth2', authCode, state } })
  }
  return { server, enter }
}

const [basic, post] = ['client_secret_basic', 'client_secret_post'] as const

test('the client authenticates as the provider demands: by its metadata, or by the setting', async (t) => {
  const rows: [sentence: string, provider: object, more: object, isAccepted: boolean][] = [
    ['both, registered for the header', {}, {}, true],
    ['the header only', { authMethods: [basic] }, {}, true],
    ['the body only', { authMethods: [post] }, {}, true],
    ['the header only, set', { authMethods: [basic] }, { tokenEndpointAuthMethod: basic }, true],
    ['both, registered for the body', { authMethod: post }, { tokenEndpointAuthMethod: post }, true],
    ['both, registered for the body, not set', { authMethod: post }, {}, false],
    ['the header only, set to the body', { authMethods: [basic] }, { tokenEndpointAuthMethod: post }, false],
  ]
  for (const [sentence, options, more, isAccepted] of rows) {
    await t.test(sentence, async (t) => {
      const { server, enter } = await start(t, await startOpenIdProvider(t, options), more)
      const answer = await enter('alice')
      if (isAccepted) t.equal(expectSuccess(t, answer).userInfo.username, 'corporate-alice')
      else {
        expectProblem(t, answer, 'invalid_grant')
        t.match(server.log(), /"cause":"corporate: [^"]*: invalid_client"/, 'the log says the code')
      }
      t.notMatch(server.log(), 'rollcall-secret')
    })
  }
})

test('a provider that takes the secret in no way that we know is unavailable, and the log says why', async (t) => {
  const metadata = (honest: object) => ({ ...honest, token_endpoint_auth_methods_supported: ['private_key_jwt'] })
  const provider = await startHostileProvider(t, { metadata })
  const server = await startServer(t, { settings: federation([provider.settings]), time: Date.now() })
  expectProblem(t, await server.call('GET', '/social/authUrl/corporate'), 'unavailable')
  t.match(server.log(), /takes neither client_secret_basic nor client_secret_post/)
})

const answers: [sentence: string, answer: (response: ServerResponse) => unknown][] = [
  ['403', (response) => response.writeHead(403).end()],
  ['503', (response) => response.writeHead(503).end()],
  ['a redirect', (response) => response.writeHead(302, { location: 'https://example.com/' }).end()],
  ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Maintenance</p>')],
  ['JSON without a subject', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ['a refusal', (response) => response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()],
  ['a closed connection', (response) => response.destroy()],
  ['no answer', () => undefined],
]

test('a UserInfo that cannot be read costs the name only: the sign-in is verified by the ID token', async (t) => {
  for (const [sentence, answer] of answers) {
    await t.test(sentence, async (t) => {
      let isBroken = true
      const provider = await startOpenIdProvider(t, {
        take(request, response) {
          const isTaken = isBroken && request.url === '/me'
          if (isTaken) answer(response)
          return isTaken
        },
      })
      const { server, enter } = await start(t, provider, {}, { timeout: 1 })
      const first = expectSuccess(t, await enter('alice'))
      t.match(first.userInfo.username, /^corporate-[0-9a-f]{12}$/)
      t.match(server.log(), 'the name of a user could not be read from the identity provider')
      isBroken = false
      t.equal(expectSuccess(t, await enter('alice')).userInfo.userId, first.userInfo.userId, 'the same account')
      t.equal(expectSuccess(t, await enter('bob')).userInfo.username, 'corporate-bob')
    })
  }
})

test('the UserInfo of somebody else lets nobody in', async (t) => {
  const provider = await startOpenIdProvider(t, {
    take(request, response) {
      if (request.url !== '/me') return false
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"sub":"mallory"}')
      return true
    },
  })
  const { enter } = await start(t, provider)
  expectProblem(t, await enter('alice'), 'invalid_grant')
})
