import { test, type Test } from 'tap'
import { createUserCache } from '../../../db/user-cache.js'
import type { Reason } from '../../../schemas/problems.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

/** A signed-in user, seen several times, and a connection of its own, as another process has. */
const start = async (t: Test) => {
  const server = await startServer(t)
  await server.operator.addRole('reader', 'Reader', ['system:user:list'])
  await server.addUser('alice')
  await server.operator.assign('reader', 'alice')
  const { accessToken: token } = await server.signIn('alice')
  const call = (path = '/auth/userInfo') => server.call('GET', path, { token })
  for (let count = 0; count < 3; count++) expectSuccess(t, await call())
  const other = await connect(server.directory)
  t.teardown(() => other.close())
  return { call, other }
}

/** A cache that is outdated by each write, whoever the user is. */
const createCache = <V extends object>(now: () => number) => {
  const changes = {
    now: async () => now(),
    isUnchanged: (_userId: number, since: number, now: number) => since === now,
  }
  const limits = { max: 10, maxSize: 10_000, maxPictures: 10_000 }
  const cache = createUserCache<V & { user: { id: number; avatar: null } }>(changes, limits)
  return (key: string, read: () => Promise<V | undefined>) =>
    cache.find(key, async () => {
      const value = await read()
      return value && { ...value, user: { id: 1, avatar: null } }
    })
}

const endings: [name: string, sql: string, reason: Reason][] = [
  ['an ended session', `update sessions set end_time = 1, end_reason = 'revoked'`, 'session_revoked'],
  ['a replaced session', `update sessions set end_time = 1, end_reason = 'replaced'`, 'session_replaced'],
  ['a session that is gone', 'delete from sessions', 'session_expired'],
  ['a disabled user', `update users set user_status = 0 where username = 'alice'`, 'session_revoked'],
  ['a disabled tenant', 'update tenants set enabled = 0', 'session_revoked'],
]
for (const [name, sql, reason] of endings) {
  test(`${name}: the next request sees what another process has written`, async (t) => {
    const { call, other } = await start(t)
    await other.run(sql)
    expectProblem(t, await call(), reason)
    expectProblem(t, await call('/system/user/page'), reason)
  })
}

test('rights and names that another process changes are there with the next request, each time', async (t) => {
  const { call, other } = await start(t)
  expectSuccess(t, await call('/system/user/page'))
  for (let count = 0; count < 5; count++) {
    await other.run('delete from role_permissions')
    expectProblem(t, await call('/system/user/page'), 'permission_denied')
    t.same(expectSuccess(t, await call()).permissions, [])
    await other.run(`insert into role_permissions select id, 'system:user:list' from roles where role_key = 'reader'`)
    expectSuccess(t, await call('/system/user/page'))
    await other.run(`update users set real_name = 'Name ${count}' where username = 'alice'`)
    t.equal(expectSuccess(t, await call()).realName, `Name ${count}`)
  }
})

test('what another process has begun to write and not committed changes nothing', async (t) => {
  const { call, other } = await start(t)
  const undone = other.transaction(async () => {
    await other.run('update users set user_status = 0')
    expectSuccess(t, await call())
    throw new Error('taken back')
  })
  await undone.catch(() => undefined)
  expectSuccess(t, await call())
})

test('what is read while something is written is not taken for what comes after', async (t) => {
  let version = 1
  const cache = createCache<{ text: string }>(() => version)
  const late = await cache('key', async () => {
    // Another writes and a third one asks between our question for the version and the end of our reading.
    version = 2
    await cache('other', async () => ({ text: 'other' }))
    return { text: 'old' }
  })
  t.equal(late?.text, 'old')
  t.equal((await cache('key', async () => ({ text: 'new' })))?.text, 'new')
  t.equal((await cache('key', async () => ({ text: 'newer' })))?.text, 'new', 'and now it is remembered')
  version = 3
  t.equal((await cache('key', async () => ({ text: 'newest' })))?.text, 'newest')
})

test('what is remembered cannot be changed by one request for another', async (t) => {
  const cache = createCache<{ rights: string[] }>(() => 1)
  const value = await cache('key', async () => ({ rights: [] }))
  t.throws(() => value?.rights.push('*:*:*'), TypeError)
})

test('what is not there is asked for again', async (t) => {
  let reads = 0
  const read = async () => ({ count: ++reads })
  const cache = createCache<{ count: number }>(() => 1)
  t.equal(await cache('key', async () => undefined), undefined)
  t.equal((await cache('key', read))?.count, 1)
})
