import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test, type Test } from 'tap'
import type { Reason } from '../../../schemas/problems.js'
import type { AuthUrl } from '../../../schemas/social.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import {
  now,
  sendJson,
  startHostileProvider,
  type Fault,
  type Part,
  type Self,
} from '../../helpers/peers/hostile-provider.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { startServer, type Answer } from '../../helpers/service/server.js'
import { es256 } from '../../helpers/service/token.js'

interface Row {
  name: string
  fault: Fault
  reason?: Reason
}

/** A server with one provider for each row, whose platform is called after its place in the table. */
const start = async (t: Test, rows: Row[], more: object = {}) => {
  const providers = []
  for (const [index, { fault }] of rows.entries()) {
    providers.push(await startHostileProvider(t, fault, `row${index}`))
  }
  const settings = federation(
    providers.map((provider) => provider.settings),
    { unknownIdentity: 'register', ...more },
  )
  // So many tries from one address would be paused.
  const lockout = { nameFailuresAnywhere: 100 }
  return { providers, server: await startServer(t, { settings: { ...settings, lockout }, time: Date.now() }) }
}

/**
 * Tries every way in at the provider of every row: each must be refused, and what only the two servers may know must
 * be in no answer and not in the log.
 */
const expectRefusals = async (t: Test, rows: Row[], more: object = {}) => {
  const { providers, server } = await start(t, rows, more)

  const tryToEnter = async (index: number): Promise<Answer[]> => {
    const provider = providers[index]
    if (!provider) throw new Error('there is no such row')
    const answers: Answer[] = []
    for (const way of ['callback', 'login'] as const) {
      const begun = await server.call<AuthUrl>('GET', `/social/authUrl/row${index}`)
      if (begun.status !== 200) {
        answers.push(begun)
        continue
      }
      const { code, state } = provider.visit(begun.body.data.authUrl)
      const answer =
        way === 'callback'
          ? await server.call('POST', '/social/callback', { json: { platform: `row${index}`, code, state } })
          : await server.call('POST', '/auth/login', { json: { authType: 'oauth2', authCode: code, state } })
      answers.push(answer)
    }
    return answers
  }

  const all = await Promise.all(rows.map((_row, index) => tryToEnter(index)))
  for (const [index, { name, reason = 'invalid_grant' }] of rows.entries()) {
    await t.test(name, async (t) => {
      for (const answer of all[index] ?? []) {
        expectProblem(t, answer, reason)
        t.equal(answer.headers.has('retry-after'), reason === 'unavailable', 'Retry-After')
        t.notMatch(answer.text, /socialTicket"|accessToken/)
        for (const secret of providers[index]?.secrets ?? []) t.notOk(answer.text.includes(secret), 'no secret')
      }
    })
  }
  for (const [index, { name }] of rows.entries()) {
    for (const secret of providers[index]?.secrets ?? []) {
      // Errors of the engine quote ten characters.
      t.notOk(server.log().includes(secret.slice(0, 10)), `${name}: nothing secret in the log`)
    }
  }
  const { accessToken } = await server.signIn()
  const list = await server.call('GET', '/system/user/page', { token: accessToken })
  t.equal(list.body.data.total, 1, 'nobody has got an account')
  return { providers, server }
}

const changed = (name: string, change: (self: Self) => Part): Row => ({
  name,
  fault: { claims: (honest, self) => ({ ...honest, ...change(self) }) },
})
const without = (name: string, claim: string): Row => changed(name, () => ({ [claim]: undefined }))

const hs256 = (secret: string) => (bytes: Buffer) => createHmac('sha256', secret).update(bytes).digest()
const pem = ({ publicKey }: Self) => publicKey.export({ type: 'spki', format: 'pem' }).toString()
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
/** The metadata allow what the token does: the strongest form of the attack. */
const allowing = (alg: string) => (honest: Part) => ({ ...honest, id_token_signing_alg_values_supported: [alg] })

test('O3: an ID token whose signature proves nothing lets nobody in', (t) =>
  expectRefusals(t, [
    { name: 'the same key id, another key', fault: { signer: () => es256(stranger.privateKey) } },
    {
      name: 'another key, sent along in the token itself',
      fault: {
        header: (honest) => ({ ...honest, kid: undefined, jwk: stranger.publicKey.export({ format: 'jwk' }) }),
        signer: () => es256(stranger.privateKey),
      },
    },
    { name: 'an unknown key id', fault: { header: (honest) => ({ ...honest, kid: 'two' }) } },
    { name: 'no signature', fault: { signer: () => () => '' } },
    {
      name: '`alg: none`',
      fault: { header: (honest) => ({ ...honest, alg: 'none' }), signer: () => () => '' },
    },
    {
      name: '`alg: none`, allowed by the metadata',
      fault: {
        metadata: allowing('none'),
        header: (honest) => ({ ...honest, alg: 'none' }),
        signer: () => () => '',
      },
    },
    {
      name: 'HS256 with the client secret',
      fault: {
        header: (honest) => ({ ...honest, alg: 'HS256' }),
        signer: ({ clientSecret }) => hs256(clientSecret),
      },
    },
    {
      name: 'HS256 with the client secret, allowed by the metadata',
      fault: {
        metadata: allowing('HS256'),
        header: (honest) => ({ ...honest, alg: 'HS256' }),
        signer: ({ clientSecret }) => hs256(clientSecret),
      },
    },
    {
      name: 'HS256 with the public key, allowed by the metadata',
      fault: {
        metadata: allowing('HS256'),
        header: (honest) => ({ ...honest, alg: 'HS256' }),
        signer: (self) => hs256(pem(self)),
      },
    },
    {
      name: 'a short RSA key',
      fault: {
        metadata: allowing('RS256'),
        keys: () => [{ ...weak.publicKey.export({ format: 'jwk' }), kid: 'one' }],
        header: (honest) => ({ ...honest, alg: 'RS256' }),
        signer: () => (bytes) => sign('sha256', bytes, weak.privateKey),
      },
    },
    {
      name: 'an algorithm that the metadata do not name',
      fault: { metadata: allowing('RS256') },
    },
    {
      name: 'a key for encryption',
      fault: { keys: (honest) => honest.map((key) => ({ ...key, use: 'enc' })) },
    },
    {
      name: 'a critical header that nobody knows',
      fault: { header: (honest) => ({ ...honest, crit: ['mystery'], mystery: true }) },
    },
    { name: 'no key at all', fault: { keys: () => [] } },
  ]))

test('O3: an ID token that is not about this sign-in lets nobody in', (t) =>
  expectRefusals(t, [
    changed('another issuer', () => ({ iss: 'https://elsewhere.example.com' })),
    changed('the issuer with a slash more', ({ issuer }) => ({ iss: `${issuer}/` })),
    without('no issuer', 'iss'),
    changed('another audience', () => ({ aud: 'another-client' })),
    changed('the audience in another case', ({ clientId }) => ({ aud: clientId.toUpperCase() })),
    changed('an empty audience', () => ({ aud: [] })),
    without('no audience', 'aud'),
    changed('several audiences and no authorized party', ({ clientId }) => ({ aud: [clientId, 'another-client'] })),
    changed('several audiences and another authorized party', ({ clientId }) => ({
      aud: [clientId, 'another-client'],
      azp: 'another-client',
    })),
    changed('one audience and another authorized party', () => ({ azp: 'another-client' })),
    changed('another nonce', () => ({ nonce: 'another-nonce' })),
    without('no nonce', 'nonce'),
    changed('expired', () => ({ iat: now() - 3600, exp: now() - 60 })),
    changed('an expiry that is text', () => ({ exp: String(now() + 600) })),
    without('no expiry', 'exp'),
    changed('issued in the future', () => ({ iat: now() + 600, exp: now() + 1200 })),
    changed('not valid yet', () => ({ nbf: now() + 600 })),
    without('no time of issue', 'iat'),
    without('no subject', 'sub'),
    changed('a blank subject', () => ({ sub: '' })),
    changed('a subject that is a number', () => ({ sub: 7 })),
    changed('a subject that is an object', () => ({ sub: { $ne: null } })),
    changed('a subject that is null', () => ({ sub: null })),
    changed('a subject of 256 characters', () => ({ sub: 'a'.repeat(256) })),
    { name: 'no ID token', fault: { tokens: (honest) => ({ ...honest, id_token: undefined }) } },
    { name: 'an ID token that is no token', fault: { tokens: (honest) => ({ ...honest, id_token: 'one.two.three' }) } },
    { name: 'an ID token that is an object', fault: { tokens: (honest) => ({ ...honest, id_token: {} }) } },
    { name: 'no access token', fault: { tokens: (honest) => ({ ...honest, access_token: undefined }) } },
    { name: 'a type of token that we cannot use', fault: { tokens: (honest) => ({ ...honest, token_type: 'mac' }) } },
    {
      name: 'the person is another one than the ID token is about',
      fault: {
        claims: (honest) => ({ ...honest, preferred_username: undefined }),
        person: (honest) => ({ ...honest, sub: 'bob' }),
      },
    },
  ]))

test('O3: a nonce is good for one sign-in: an ID token of an earlier one is refused', async (t) => {
  let first: unknown
  const rows: Row[] = [
    { name: '', fault: { tokens: (honest) => ({ ...honest, id_token: (first ??= honest['id_token']) }) } },
  ]
  const { server, providers } = await start(t, rows)
  const enter = async () => {
    const { body } = await server.call<AuthUrl>('GET', '/social/authUrl/row0')
    const back = providers[0]?.visit(body.data.authUrl)
    return server.call('POST', '/social/callback', { json: { platform: 'row0', ...back } })
  }
  expectSuccess(t, await enter())
  expectProblem(t, await enter(), 'invalid_grant')
})

test('O2: metadata of another issuer are refused before anybody is sent anywhere', (t) =>
  expectRefusals(t, [
    {
      name: 'another issuer',
      fault: { metadata: (honest) => ({ ...honest, issuer: 'https://elsewhere.example.com' }) },
      reason: 'unavailable',
    },
    {
      name: 'the issuer with a slash more',
      fault: { metadata: (honest, { issuer }) => ({ ...honest, issuer: `${issuer}/` }) },
      reason: 'unavailable',
    },
    {
      name: 'no issuer',
      fault: { metadata: (honest) => ({ ...honest, issuer: undefined }) },
      reason: 'unavailable',
    },
    {
      name: 'a page that is a script',
      fault: { metadata: (honest) => ({ ...honest, authorization_endpoint: 'javascript:alert(1)' }) },
      reason: 'unavailable',
    },
    {
      name: 'no page',
      fault: { metadata: (honest) => ({ ...honest, authorization_endpoint: undefined }) },
      reason: 'unavailable',
    },
  ]))

const echo = (status: number, build: (secrets: string[]) => string | object): Fault => ({
  take: {
    token(request, response, { clientSecret }, body) {
      const known = [clientSecret, body.get('code') ?? '', body.get('code_verifier') ?? '']
      const { authorization = '' } = request.headers
      const answer = build([...known, authorization])
      if (typeof answer === 'object') sendJson(response, status, answer)
      else response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
    },
  },
})

test('a provider that says what it was told does not make us say it', (t) =>
  expectRefusals(t, [
    { name: 'in the error', fault: echo(400, (secrets) => ({ error: secrets.join(' ') })) },
    {
      name: 'in the description of the error',
      fault: echo(400, (secrets) => ({ error: 'invalid_grant', error_description: secrets.join(' ') })),
    },
    { name: 'in place of a token', fault: echo(200, (secrets) => ({ access_token: secrets })) },
    { name: 'as the type of the token', fault: echo(200, ([a = '']) => ({ access_token: 'x', token_type: a })) },
    // The parser of Node quotes short texts, and of long ones the beginning and the end.
    { name: 'as something that is not JSON', fault: echo(200, ([, code = '']) => code) },
    {
      name: 'in a challenge',
      fault: {
        take: {
          token: (_request, response, { clientSecret }) =>
            void response.writeHead(401, { 'www-authenticate': `Bearer error="${clientSecret}"` }).end(),
        },
      },
    },
    {
      name: 'in the status line',
      fault: {
        take: {
          token: (_request, response, { clientSecret }) => void response.writeHead(418, clientSecret).end('{}'),
        },
      },
    },
  ]))

function withLineBreak(honest: Part): Part {
  const token = String(honest['access_token'])
  return { ...honest, access_token: `${token}\n${token}` }
}
function nameless(honest: Part): Part {
  return { ...honest, preferred_username: undefined }
}

test('an answer that is none lets nobody in', (t) => {
  const html = '<!doctype html><title>Maintenance</title>'
  const answers: [string, number, string, string, Reason][] = [
    ['a page', 200, 'text/html', html, 'invalid_grant'],
    ['a page that says it is JSON', 200, 'application/json', html, 'invalid_grant'],
    ['nothing', 200, 'application/json', '', 'invalid_grant'],
    ['null', 200, 'application/json', 'null', 'invalid_grant'],
    ['a list', 200, 'application/json', '[]', 'invalid_grant'],
    ['a refusal', 400, 'application/json', '{"error":"invalid_grant"}', 'invalid_grant'],
    ['a refusal of the client', 401, 'application/json', '{"error":"invalid_client"}', 'invalid_grant'],
    ['a refusal with a page', 403, 'text/html', html, 'invalid_grant'],
    ['too many requests', 429, 'application/json', '{}', 'unavailable'],
    ['a failure', 500, 'application/json', '{"error":"server_error"}', 'unavailable'],
    ['a failure of a proxy', 502, 'text/html', html, 'unavailable'],
  ]
  const rows = answers.flatMap(([name, status, type, body, reason]) =>
    (['discovery', 'token', 'keys'] as const).map((place): Row => ({
      name: `${place}: ${name}`,
      fault: {
        claims: nameless,
        take: {
          [place]: (_request: unknown, response: ServerResponse) =>
            void response.writeHead(status, { 'content-type': type }).end(body),
        },
      },
      // Who has not been sent anywhere yet has nothing that could be wrong.
      reason: place === 'discovery' ? 'unavailable' : reason,
    })),
  )
  return expectRefusals(t, rows)
})

test('without a fault the twin lets people in, both ways', async (t) => {
  const { server, providers } = await start(t, [
    { name: '', fault: {} },
    {
      name: 'several audiences',
      fault: { claims: (c, { clientId }) => ({ ...c, aud: [clientId, 'b'], azp: clientId }) },
    },
    { name: 'the name from the person', fault: { claims: nameless } },
    { name: 'an access token with a line break', fault: { tokens: withLineBreak } },
    { name: 'a clock that is a little fast', fault: { claims: (honest) => ({ ...honest, iat: now() + 20 }) } },
    { name: 'a clock that is a little slow', fault: { claims: (honest) => ({ ...honest, exp: now() - 5 }) } },
    { name: 'a subject of 255 characters', fault: { claims: (honest) => ({ ...honest, sub: 'a'.repeat(255) }) } },
  ])
  for (const [index, provider] of providers.entries()) {
    const begin = async () => {
      const { body } = await server.call<AuthUrl>('GET', `/social/authUrl/row${index}`)
      return provider.visit(body.data.authUrl)
    }
    const json = { platform: `row${index}`, ...(await begin()) }
    const { socialTicket } = expectSuccess(t, await server.call('POST', '/social/callback', { json }))
    const byTicket = await server.call('POST', '/auth/login', { json: { authType: 'social', socialTicket } })
    const { code: authCode, state } = await begin()
    const byCode = await server.call('POST', '/auth/login', { json: { authType: 'oauth2', authCode, state } })
    t.equal(expectSuccess(t, byTicket).userInfo.username, `row${index}-alice`)
    t.equal(expectSuccess(t, byCode).userInfo.username, `row${index}-alice`)
    for (const secret of provider.secrets) t.notOk(server.log().includes(secret), 'nothing secret in the log')
  }
})
