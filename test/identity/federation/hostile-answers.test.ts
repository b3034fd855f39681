import type { ServerResponse } from 'node:http'
import { test } from 'tap'
import type { Reason } from '../../../schemas/problems.js'
import type { AuthUrl } from '../../../schemas/social.js'
import { now, sendJson, type Fault, type Part } from '../../helpers/peers/hostile-provider.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { expectRefusals, startWithHostileProviders, type Row } from './hostile-sign-ins.js'

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
  const { server, providers } = await startWithHostileProviders(t, [
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
