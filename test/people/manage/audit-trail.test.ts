import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit, startWithAdministrator } from './administrator.js'
import { purge } from '../../helpers/databases/purge.js'

test('the audit trail can be filtered, shows a tenant only its own rows, and ends after its time', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  const other = await server.operator.addTenant('Other')
  const mine = await server.addUser('mine')
  const theirs = await server.addUser('theirs', { tenantId: other.id })
  for (const { id } of [mine, theirs]) await server.call('POST', `/system/user/${id}/disable`, { token })
  const auditor = await signInAs(server, 'auditor', { userType: 1, permissions: ['system:audit:list'] })
  t.same(
    (await audit(server, token, 'action=user.disable')).map((row) => row['targetName']),
    ['theirs', 'mine'],
  )
  t.same(
    (await audit(server, auditor, 'action=user.disable')).map((row) => row['targetName']),
    ['mine'],
  )
  t.same(await audit(server, auditor, `tenantId=${other.id}`), [])
  t.same((await audit(server, token, `targetId=${theirs.id}&isAsc=asc&orderByColumn=time`)).length, 1)
  t.same(await audit(server, token, 'actorName=nobody'), [])
  t.same(await audit(server, token, 'timeTo=2001-01-01'), [])
  expectProblem(
    t,
    await server.call('GET', '/system/audit/page', { token, query: 'orderByColumn=actorName' }),
    'invalid_request',
    ['orderByColumn'],
  )
  await purge(server.app.db, 'audit_trail', server.clock.now() + 1, 100)
  t.same(await audit(server, token), [])
})
