import { test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { createFindOwners } from '../../../db/repositories/session-owner.js'
import { addTenant, borrowMigrated } from '../../contract/engines.js'
import { createPool, isPostgresThere, skipped } from '../../helpers/databases/postgres.js'

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
  await database.roles.replacePermissions(role.id, ['a:b:c'])
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
  const alwaysChanged = { now: async () => 1, isUnchanged: () => false }
  const { session: find } = createFindOwners(db, alwaysChanged, true)
  const { session: findAlone } = createFindOwners(db, alwaysChanged, false)

  const found = await Promise.all([...ids, 'unknown'].map(async (id) => find(id)))
  t.equal(questions, 6, 'sessions and what their users may do, of 16, 16 and 9')
  t.equal(found.pop(), undefined)
  t.same(found, await Promise.all(ids.map(async (id) => findAlone(id))))
  const permissions = found.map((owner) => `${owner?.user.username}: ${owner?.grants.permissions.join()}`)
  t.same(permissions.slice(0, 4), ['alice: a:b:c', 'bob: ', 'carol: ', 'alice: a:b:c'])
  await database.sessions.end(['session0'], 'logout', 2)
  t.match(await find('session0'), { session: { endReason: 'logout' } }, 'nothing is kept for later')
})
