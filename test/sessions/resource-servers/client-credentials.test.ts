import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { installed, refusal } from '../../helpers/service/installation.js'
import { basic, reportsSecret, sha256, startWithReports, told } from '../../helpers/service/resource-server.js'
import { startServer } from '../../helpers/service/server.js'

const otherSecret = 'another+secret/of=the~reports.service-x'

test('a secret is accepted as it is and as form fields are encoded, configured as text or as a hash', async (t) => {
  for (const configured of [otherSecret, sha256(otherSecret)]) {
    const introspection = { clients: [{ id: 'reports', secret: configured }] }
    const { server, ask } = await startWithReports(t, { settings: { introspection } })
    const { accessToken } = await server.signIn()
    const everyCharacter = [...otherSecret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    for (const sent of [otherSecret, encodeURIComponent(otherSecret), everyCharacter]) {
      t.equal(told(await ask(accessToken, basic('reports', sent)))['active'], true, sent)
    }
    t.notMatch(server.log(), otherSecret, 'the secret is not logged')
  }
})

test('a service is listed twice while its secret is changed', async (t) => {
  const clients = [reportsSecret, otherSecret].map((secret) => ({ id: 'reports', secret }))
  const { server, ask } = await startWithReports(t, { settings: { introspection: { clients } } })
  const { accessToken } = await server.signIn()
  for (const { secret } of clients) t.equal((await ask(accessToken, basic('reports', secret))).status, 200)
})

test('without the right id and secret the answer is 401, names the scheme, and tells nothing about the token', async (t) => {
  const { server, ask } = await startWithReports(t)
  const { accessToken } = await server.signIn()
  const rows = [
    basic('reports', `${reportsSecret}x`),
    basic('reports', ''),
    basic('reports', sha256(reportsSecret)),
    basic('others', reportsSecret),
    basic('', reportsSecret),
    basic('reports', `${reportsSecret}%`),
    `Basic ${Buffer.from('reports').toString('base64')}`,
    'Basic',
    'Basic ????',
    `Bearer ${accessToken}`,
    `Bearer ${reportsSecret}`,
  ]
  for (const authorization of rows) {
    const answer = await ask(accessToken, authorization)
    expectProblem(t, answer, 'invalid_client')
    t.equal(answer.headers.get('www-authenticate'), 'Basic realm="rollcall"')
    t.notMatch(answer.text, /active|sub|admin/)
  }
  const none = await server.call('POST', '/auth/introspect', { form: { token: accessToken } })
  expectProblem(t, none, 'invalid_client')
  expectProblem(t, await server.call('POST', '/auth/introspect', { raw: '{' }), 'invalid_client')
})

test('without configured services everybody is refused', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  for (const authorization of [basic('reports', reportsSecret), basic('', ''), `Bearer ${accessToken}`]) {
    const answer = await server.call('POST', '/auth/introspect', {
      form: { token: accessToken },
      headers: { authorization },
    })
    expectProblem(t, answer, 'invalid_client')
  }
})

test('wrong secrets are limited per address; the right one is still accepted, and users still sign in', async (t) => {
  const { server, ask } = await startWithReports(t, {
    environment: { RATE_LIMITS: 'on' },
    settings: { lockout: { nameFailuresAnywhere: 5 } },
  })
  const { accessToken } = await server.signIn()
  const wrong = basic('reports', 'x'.repeat(40))
  for (let tries = 0; tries < 5; tries++) expectProblem(t, await ask(accessToken, wrong), 'invalid_client')
  const answer = await ask(accessToken, wrong)
  expectProblem(t, answer, 'too_many_attempts')
  t.ok(Number(answer.headers.get('retry-after')) > 0)
  t.equal(told(await ask(accessToken))['active'], true)
  await server.signIn()
  server.clock.advance(3600)
  expectProblem(t, await ask(accessToken, wrong), 'invalid_client')
})

for (const { sentence, client, field } of [
  { sentence: 'a short secret', client: { secret: 'short' }, field: 'secret' },
  { sentence: 'a hash of another length', client: { secret: `sha256:${'a'.repeat(63)}` }, field: 'secret' },
  {
    sentence: 'a secret with spaces',
    client: { secret: 'a secret with many words and spaces in it' },
    field: 'secret',
  },
  { sentence: 'no secret', client: {}, field: 'secret' },
  { sentence: 'an id with a colon', client: { id: 'a:b', secret: reportsSecret }, field: 'id' },
]) {
  test(`a service with ${sentence} stops the start, and the message does not show the secret`, (t) => {
    const clients = [{ id: 'reports', ...client }]
    const { faults, message } = refusal(t, {
      DATA_DIR: installed(t, (all) => ({ ...all, introspection: { clients } })),
    })
    t.same(
      faults.map(({ name }) => name),
      [`introspection.clients.0.${field}`],
    )
    if ('secret' in client && client.secret) t.notMatch(message, client.secret)
    t.end()
  })
}
