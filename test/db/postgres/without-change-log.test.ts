import { test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { createFindOwner } from '../../../db/repositories/session-owner.js'
import { addTenant, borrowMigrated } from '../../contract/engines.js'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import {
  createPool,
  createPostgres,
  dropChangeLog,
  isPostgresThere,
  skipped,
} from '../../helpers/databases/postgres.js'
import { startServer } from '../../helpers/service/server.js'

const skip = (await isPostgresThere()) ? false : skipped

const sessionOf = (userId: number, tenantId: number, id: string) => ({
  ...{
    id,
    userId,
    tenantId,
    identityId: null,
    acr: 'aal1' as const,
    amr: ['pwd'],
    authTime: 0,
    factorTime: null,
    userClient: 'app',
    generation: 1,
    generationTime: 1,
    encryptedToken: null,
  },
  ...{ deviceId: null, loginIp: '192.0.2.1', userAgent: '', createTime: 1, lastActiveTime: 1 },
  ...{ idleExpiry: 1e12, expiry: 1e12 },
})

test('sessions that are checked at the same moment are read together, 16 at a time', { skip }, async (t) => {
  const url = await borrowMigrated(t)
  const database = await openDatabase(url, '/')
  t.teardown(() => database.close())
  const { tenant, addUser } = await addTenant(database)
  const role = await database.roles.add(tenant.id, 'reader', 'Reader', 1)
  await database.roles.grant(role.id, ['a:b:c'])
  const users = [(await addUser('alice')).id, (await addUser('bob')).id, (await addUser('carol')).id]
  await database.roles.assign(users[0] ?? 0, role.id)
  const ids = Array.from({ length: 40 }, (_, index) => `session${index}`)
  for (const [index, id] of ids.entries())
    await database.sessions.add(sessionOf(users[index % users.length] ?? 0, tenant.id, id))

  let questions = 0
  const db = createKysely(createPool(url), createStatementNames()).withPlugin({
    transformQuery: ({ node }) => node,
    // Queries are compiled once, results come each time.
    async transformResult({ result }) {
      questions++
      return result
    },
  })
  t.teardown(() => db.destroy())
  const noLog = { now: () => undefined, isUnchanged: () => false }
  const find = createFindOwner(db, noLog, true)
  const findAlone = createFindOwner(db, noLog, false)

  const found = await Promise.all([...ids, 'unknown'].map(async (id) => find(id)))
  t.equal(questions, 6, 'sessions and what their users may do, of 16, 16 and 9')
  t.equal(found.pop(), undefined)
  t.same(found, await Promise.all(ids.map(async (id) => findAlone(id))))
  const permissions = found.map((owner) => `${owner?.user.username}: ${owner?.grants.permissions.join()}`)
  t.same(permissions.slice(0, 4), ['alice: a:b:c', 'bob: ', 'carol: ', 'alice: a:b:c'])
  await database.sessions.end(['session0'], 'logout', 2)
  t.match(await find('session0'), { session: { endReason: 'logout' } }, 'nothing is kept for later')
})

test('where the server keeps no log of changes, a change acts at once', { skip }, async (t) => {
  const url = await createPostgres(t)
  const database = await openDatabase(url, '/')
  await database.migrate()
  await database.close()
  await dropChangeLog(url)
  const server = await startServer(t, { environment: { DATABASE_URL: url } })
  const { accessToken: token } = await server.signIn()
  const { id } = await server.addUser('alice')
  const { accessToken: alice } = await server.signIn('alice')
  const check = () => server.call('GET', '/auth/userInfo', { token: alice })
  const list = () => server.call('GET', '/system/user/page', { token: alice })

  t.same(tally(await parallel(40, check)), { 200: 40 })
  expectProblem(t, await list(), 'permission_denied')
  const reader = { key: 'reader', name: 'Reader', permissions: ['system:user:list'] }
  expectSuccess(t, await server.call('POST', '/system/role', { token, json: reader }))
  const roles = { token, json: { roleKeys: ['reader'] } }
  expectSuccess(t, await server.call('PUT', `/system/user/${id}/roles`, roles))
  t.equal(expectSuccess(t, await list()).total, 2)
  expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token, json: { realName: 'Alicia' } }))
  t.match(expectSuccess(t, await list()).records, [{ realName: 'Alicia' }, {}])
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token }))
  for (const answer of await parallel(20, check)) expectProblem(t, answer, 'session_revoked')
})
