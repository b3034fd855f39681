import { test } from 'tap'
import { makeApiToken } from '../../../lib/api-token.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { startWithReports, told } from '../../helpers/service/resource-server.js'

const inactive = { active: false }

test('introspection tells what a token may do now, and nothing of one that is not accepted', async (t) => {
  const { server, ask } = await startWithReports(t)
  const { operator, app, clock } = server
  await operator.addRole('reader', 'Reader', ['report:daily:read', 'report:daily:write'])
  const job = await server.addUser('job', { roles: ['reader'] })
  const { token, id } = await addApiToken(app.db, clock, job, { permissions: ['report:*:read'] })
  const answer = await ask(token)
  t.strictSame(told(answer), {
    active: true,
    token_type: 'api_token',
    sub: String(job.id),
    tid: 1,
    exp: clock.now() / 1000 + 90 * 24 * 3600,
    iat: clock.now() / 1000,
    acr: 'aal1',
    username: 'job',
    roles: ['reader'],
    permissions: ['report:daily:read'],
  })
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const endless = await addApiToken(app.db, clock, job, { expiry: null })
  t.notOk('exp' in told(await ask(endless.token)))

  for (const wrong of ['rct_', `${token}x`, makeApiToken()]) t.strictSame(told(await ask(wrong)), inactive)
  await operator.setEnabled('job', false)
  t.strictSame(told(await ask(token)), inactive)
  await operator.setEnabled('job', true)
  t.equal(told(await ask(token))['active'], true)
  await app.db.apiTokens.end(job.id, clock.now(), [id])
  t.strictSame(told(await ask(token)), inactive)
  clock.advance(90 * 24 * 3600)
  t.equal(told(await ask(endless.token))['active'], true)
  await operator.setPassword('job', 'plain green teapot', { forcePasswordChange: true })
  t.strictSame(told(await ask(endless.token)), inactive)
  t.notMatch(server.log(), token)
})
