import { test } from 'tap'
import { makeApiToken } from '../../../lib/api-token.js'
import { databaseBytes } from '../../../test/helpers/databases/database.js'
import { collectSecrets } from '../../../test/attacks/secret-collector.js'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { startTokens } from './start-tokens.js'

const metricsToken = 'metrics-token-of-many-characters-0123456789'

test('what is made and ended is in the audit trail, what is used in the metrics, and no token is anywhere', async (t) => {
  const environment = { TRUST_PROXY: '127.0.0.1', METRICS_TOKEN: metricsToken }
  const { server, admin, make, addService, makeFor, get } = await startTokens(t, { environment })
  const { id } = await addService(['system:user:list'])
  const own = expectSuccess(t, await make(admin, { permissions: ['system:user:list'] }))
  const job = expectSuccess(t, await makeFor(id, { days: 1, addresses: ['192.0.2.0/24'] }))
  expectSuccess(t, await get('/system/user/page', own.token, '192.0.2.1'))
  expectSuccess(t, await get('/auth/userInfo', own.token))
  expectProblem(t, await get('/system/user/page', job.token, '198.51.100.1'), 'token_not_allowed')
  expectProblem(t, await get('/auth/userInfo', makeApiToken()), 'token_ended')
  expectProblem(t, await get('/auth/userInfo', `${own.token}x`), 'token_invalid')
  expectProblem(t, await get('/auth/sessions', own.token), 'token_not_allowed')
  expectSuccess(t, await server.call('DELETE', `/auth/tokens/${own.id}`, { token: admin }))
  server.clock.advance(24 * 3600)
  expectProblem(t, await get('/auth/userInfo', job.token, '192.0.2.1'), 'token_expired')

  const { accessToken } = await server.signIn()
  const { records } = expectSuccess(t, await get('/system/audit/page', accessToken))
  const rows = (records as { action: string }[]).filter(({ action }) => action.startsWith('token.'))
  t.match(rows, [
    { action: 'token.end', actorName: 'admin', targetType: 'token', targetName: 'nightly export' },
    {
      action: 'token.add',
      actorName: 'admin',
      targetName: 'job',
      after: { userId: id, username: 'nightly', addresses: ['192.0.2.0/24'] },
    },
    { action: 'token.add', after: { userId: 1, username: 'admin', permissions: ['system:user:list'] } },
  ])

  const { text } = await get('/metrics', metricsToken)
  const counted = Object.fromEntries(
    [...text.matchAll(/^rollcall_api_token_requests_total\{result="(\w+)"\} (\d+)$/gm)].map(([, name, count]) => [
      name,
      Number(count),
    ]),
  )
  t.same(counted, { accepted: 2, malformed: 1, refused: 1, expired: 1, address: 1 })

  const kept = collectSecrets(server)
  for (const { token } of [own, job]) for (const part of [token, token.slice(8)]) kept.keep(part, 'an API token')
  await kept.expectNoLeaks(t, accessToken, ['/system/audit/page', '/system/login-log/page', '/system/token/page'])
  t.same(kept.leaksIn(text), [])
  t.same(kept.leaksIn((await databaseBytes(server.directory)).toString('latin1')), [])
})

test('an account without a second factor proves by its password who makes a token, later than ten minutes after the sign-in', async (t) => {
  const { server, admin, make } = await startTokens(t)
  server.clock.advance(601)
  expectProblem(t, await make(admin), 'fresh_sign_in_required')
  expectProblem(t, await make(admin, { password: userPassword }), 'invalid_credentials')
  t.same(expectSuccess(t, await server.call('GET', '/auth/tokens', { token: admin })), [])
})
