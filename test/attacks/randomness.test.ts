import { test } from 'tap'
import { randomArgument } from '../../lib/random-id.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { startServer } from '../helpers/service/server.js'

const codes = 1000

/** The value that chi² with nine degrees of freedom exceeds once in 100,000 times. */
const limit = 39.4

test('L4: the digits of one-time codes are as even as chance, place by place', async (t) => {
  const server = await startServer(t, {
    environment: { SMTP_URL: 'smtp://127.0.0.1:1', ROLLCALL_DEV_ECHO: '1' },
  })
  const counts = Array.from({ length: 6 }, () => new Map<string, number>())
  const seen = new Set<string>()
  for (let index = 0; index < codes; index++) {
    const answer = await server.call('POST', '/auth/captcha/email', { json: { email: `person${index}@example.com` } })
    const { code } = expectSuccess(t, answer) as { code: string }
    seen.add(code)
    for (const [place, digit] of [...code].entries()) counts[place]?.set(digit, (counts[place].get(digit) ?? 0) + 1)
  }
  const expected = codes / 10
  for (const [place, digits] of counts.entries()) {
    const chi = [...'0123456789'].reduce((sum, digit) => sum + ((digits.get(digit) ?? 0) - expected) ** 2 / expected, 0)
    t.ok(chi < limit, `place ${place}: chi² ${chi.toFixed(1)}`)
  }
  t.ok(seen.size > codes * 0.995, 'hardly any code comes twice')
})

test('S1: tokens and sessions are new with every sign-in, and of 128 bits and more', async (t) => {
  const server = await startServer(t, { settings: { clients: { pc: { maxSessions: 200 } } } })
  const ids = { session: new Set<string>(), token: new Set<string>() }
  for (let index = 0; index < 50; index++) {
    const { accessToken } = await server.signIn()
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string
      jti: string
    }
    ids.session.add(claims.sid)
    ids.token.add(claims.jti)
  }
  for (const set of Object.values(ids)) {
    t.equal(set.size, 50, 'all different')
    for (const id of set) t.ok(Buffer.from(id, 'base64url').length >= 16, 'long enough')
    // At every place many different characters: nothing counts up.
    const [first = ''] = set
    const constant = [...first].filter((character, place) => [...set].every((id) => id[place] === character))
    t.same(constant, [])
  }
})

test('R3: a refresh keeps the client kind and the tenant of the session, whatever it is told', async (t) => {
  const server = await startServer(t)
  await server.operator.addTenant('Second')
  const { accessToken } = await server.signIn('admin', undefined, { userClient: 'h5' })
  const answer = await server.call('POST', '/auth/refreshToken', {
    token: accessToken,
    json: { userClient: 'app', tenantId: 2, client_id: 'app', tid: 2 },
    query: { userClient: 'app', tenantId: 2 },
  })
  const { userInfo, expiresIn } = expectSuccess(t, answer)
  t.match(userInfo, { userClient: 'h5', tenantId: 1 })
  t.equal(expiresIn, 1800, 'and lives as long as one of its kind')
})

test('an id of a session never looks like an option of the command line', (t) => {
  const ids = Array.from({ length: 2000 }, randomArgument)
  t.notOk(ids.some((id) => id.startsWith('-')))
  t.ok(ids.some((id) => id.includes('-')))
  t.end()
})
