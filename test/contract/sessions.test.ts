import type { Database } from '../../db/index.js'
import { addTenant, onEachEngine } from './engines.js'
import { purge } from '../helpers/databases/purge.js'

const addSession = (db: Database, userId: number, tenantId: number, id: string, createTime: number) =>
  db.sessions.add({
    id,
    userId,
    tenantId,
    userClient: 'pc',
    generation: 1,
    generationTime: createTime,
    encryptedToken: `token of ${id}`,
    deviceId: null,
    identityId: null,
    acr: 'aal1',
    amr: ['pwd'],
    authTime: 0,
    factorTime: null,
    loginIp: '192.0.2.1',
    userAgent: '',
    createTime,
    lastActiveTime: createTime,
    idleExpiry: 500,
    expiry: 1000,
  })

const open = async (db: Database) => {
  const { tenant, addUser } = await addTenant(db)
  const { id: userId } = await addUser('alice')
  for (const [id, time] of [
    ['one', 1],
    ['two', 2],
    ['three', 3],
  ] as const)
    await addSession(db, userId, tenant.id, id, time)
  const live = async (now = 10) => (await db.sessions.live(userId, now)).map(({ id }) => id)
  return { userId, tenant, live }
}

onEachEngine('a session is found with its owner, as they are now', async (t, db) => {
  const { userId, tenant } = await open(db)
  t.match(await db.sessions.find('one'), {
    session: { id: 'one', userId, createTime: 1, encryptedToken: 'token of one', endReason: null, deviceId: null },
    user: { id: userId, username: 'alice', createTime: 1 },
    tenant: { id: tenant.id, enabled: true },
    grants: { roleIds: [], permissions: [] },
  })
  await db.users.change(userId, { userStatus: 0 }, 5)
  await db.tenants.setEnabled(tenant.id, false, 5)
  t.match(await db.sessions.find('one'), { user: { userStatus: 0 }, tenant: { enabled: false } })
  t.equal(await db.sessions.find('none'), undefined)
})

onEachEngine('live sessions are listed, the latest first', async (t, db) => {
  const { userId, live } = await open(db)
  t.strictSame(await live(), ['three', 'two', 'one'])
  t.strictSame(await db.sessions.liveOfClient(userId, 'pc', 10), ['three', 'two', 'one'])
  t.strictSame(await db.sessions.liveOfClient(userId, 'app', 10), [])
  await db.sessions.touch('two', 400, 700)
  t.strictSame(await live(600), ['two'])
  t.strictSame(await live(1000), [])
})

onEachEngine('a session that has ended keeps its first reason and no token', async (t, db) => {
  const { userId, live } = await open(db)
  await db.sessions.end(['one'], 'logout', 5)
  await db.sessions.end(['one', 'two'], 'replaced', 6)
  t.match(await db.sessions.find('one'), { session: { endReason: 'logout', encryptedToken: null } })
  t.match(await db.sessions.find('two'), { session: { endReason: 'replaced', encryptedToken: null } })
  await addSession(db, userId, (await db.sessions.find('one'))?.tenant.id ?? 0, 'four', 4)
  await db.sessions.endOfUser(userId, 'password_changed', 7, 'three')
  t.strictSame(await live(), ['three'])
})

onEachEngine('a session moves on to its next generation', async (t, db) => {
  await open(db)
  await db.sessions.markGenerationUsed('one', 1, 20)
  await db.sessions.markGenerationUsed('one', 1, 30)
  const { session } = (await db.sessions.find('one')) ?? {}
  t.match(session, { generationUsedTime: 20 })
  if (session) await db.sessions.advance(session, 'next token', 'device', 40)
  t.match((await db.sessions.find('one'))?.session, {
    generation: 2,
    generationTime: 40,
    generationUsedTime: null,
    previousUsedTime: 20,
    encryptedToken: 'next token',
    deviceId: 'device',
  })
})

onEachEngine('sessions past their last moment are purged, up to a limit', async (t, db) => {
  await open(db)
  t.equal(await purge(db, 'sessions', 999, 2), 0)
  t.equal(await purge(db, 'sessions', 1000, 2), 2)
  t.equal(await purge(db, 'sessions', 1000, 2), 1)
})
