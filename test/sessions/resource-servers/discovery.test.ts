import * as oidc from 'openid-client'
import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { installed, refusal } from '../../helpers/service/installation.js'
import { reportsSecret, sha256, told } from '../../helpers/service/resource-server.js'
import { startServer } from '../../helpers/service/server.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { openInstallation } from '../../../app.js'

// The library marks it so that nobody uses it by mistake; the server of this test has no TLS.
// eslint-disable-next-line @typescript-eslint/no-deprecated
const allowHttp: (configuration: oidc.Configuration) => void = oidc.allowInsecureRequests

const path = '/.well-known/openid-configuration'
const clients = [{ id: 'reports', secret: sha256(reportsSecret) }]

test('the metadata have what is served and nothing else', async (t) => {
  const server = await startServer(t, {
    settings: { issuer: 'https://id.example.com/iam', introspection: { clients } },
  })
  const answer = await server.call('GET', path)
  t.equal(answer.status, 200)
  t.match(answer.headers.get('cache-control'), /^public, max-age=\d+$/)
  const { paths }: any = server.app.swagger()
  t.ok(paths[path].get.responses[200].headers['Cache-Control'], 'the document names it')
  t.strictSame(told(answer), {
    issuer: 'https://id.example.com/iam',
    jwks_uri: 'https://id.example.com/iam/.well-known/jwks.json',
    subject_types_supported: ['public'],
    introspection_endpoint: 'https://id.example.com/iam/auth/introspect',
    introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
  })
})

test('without services that may ask there is no introspection endpoint; a slash at the end is not doubled', async (t) => {
  const server = await startServer(t, { settings: { issuer: 'https://id.example.com/' } })
  t.strictSame(told(await server.call('GET', path)), {
    issuer: 'https://id.example.com/',
    jwks_uri: 'https://id.example.com/.well-known/jwks.json',
    subject_types_supported: ['public'],
  })
})

test('without a URL as the issuer there are no metadata', async (t) => {
  const server = await startServer(t)
  expectProblem(t, await server.call('GET', path), 'not_found')
})

test('openid-client finds the introspection by the issuer and asks for a token', async (t) => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const server = await startServer(t, { port, settings: { issuer, introspection: { clients } } })
  const { accessToken } = await server.signIn()
  const found = await oidc.discovery(new URL(issuer), 'reports', undefined, oidc.ClientSecretBasic(reportsSecret), {
    execute: [allowHttp],
  })
  t.match(await oidc.tokenIntrospection(found, accessToken), { active: true, iss: issuer, username: 'admin' })
  await server.call('POST', '/auth/logout', { token: accessToken })
  t.strictSame(await oidc.tokenIntrospection(found, accessToken), { active: false })
  const wrong = await oidc.discovery(new URL(issuer), 'reports', undefined, oidc.ClientSecretBasic('x'.repeat(40)), {
    execute: [allowHttp],
  })
  await t.rejects(oidc.tokenIntrospection(wrong, accessToken), {
    code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
    status: 401,
  })
})

test('an issuer that is meant as a URL must be one', (t) => {
  const opened = (issuer: string) =>
    openInstallation({ DATA_DIR: installed(t, (all) => ({ ...all, issuer })) }, { create: false })
  for (const issuer of [
    'rollcall',
    'urn:example:id',
    'https://id.example.com',
    'https://id.example.com/iam',
    'http://a:1/',
  ])
    t.equal(opened(issuer).settings.issuer, issuer)
  for (const issuer of [
    '',
    'https://',
    'https://id.example.com?a=1',
    'https://id.example.com/#a',
    'ftp://id.example.com',
    'HTTPS://Id.example.com',
  ]) {
    const { faults } = refusal(t, { DATA_DIR: installed(t, (all) => ({ ...all, issuer })) })
    t.match(faults, [{ name: 'issuer', message: /a name, or an address such as/ }], issuer)
  }
  t.end()
})
