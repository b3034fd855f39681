import { test } from 'tap'
import type { Operator } from '../../helpers/service/operator.js'
import type { Clock } from '../../../lib/clock.js'
import { userPassword } from '../../helpers/service/passwords.js'
import { purge } from '../../helpers/databases/purge.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startThree } from '../../helpers/processes/three-processes.js'
import type { Database } from '../../../db/index.js'
import { list, startApiTokens } from './start-api-tokens.js'

const day = 24 * 3600 * 1000

interface World {
  operator: Operator
  db: Database
  /** Id of the owner. */
  owner: number
  tenantId: number
  token: string
  now: () => number
}

interface Row {
  sentence: string
  end: (world: World) => Promise<unknown>
  reason: 'token_ended' | 'permission_denied'
  /** What lets it in again. */
  undo?: (world: World) => Promise<unknown>
}

/** A token of `job`, the only user of a tenant of its own, whose role allows to list users. */
const inTenant = async ({ operator, db, clock }: Pick<World, 'operator' | 'db'> & { clock: Clock }, name = 'Own') => {
  const { id: tenantId } = await operator.addTenant(name)
  await operator.addRole('lister', 'Lister', ['system:user:list'], tenantId)
  const job = { username: 'job', password: userPassword, forcePasswordChange: false, tenantId, roles: ['lister'] }
  const { id: owner } = await operator.addUser(job)
  const { token } = await addApiToken(db, clock, { id: owner, tenantId })
  return { operator, db, owner, tenantId, token, now: () => clock.now() }
}

const rows: Row[] = [
  {
    sentence: 'its owner is disabled',
    end: ({ operator, tenantId }) => operator.setEnabled('job', false, tenantId),
    reason: 'token_ended',
    undo: ({ operator, tenantId }) => operator.setEnabled('job', true, tenantId),
  },
  {
    sentence: 'its owner is banned',
    end: ({ operator, owner }) => operator.ban(owner),
    reason: 'token_ended',
    undo: ({ operator, owner }) => operator.unban(owner),
  },
  {
    sentence: 'its owner is deleted',
    end: ({ operator, owner }) => operator.remove(owner),
    reason: 'token_ended',
  },
  {
    sentence: 'the role is taken from its owner',
    end: ({ operator, owner }) => operator.setRoles(owner, []),
    reason: 'permission_denied',
    undo: ({ operator, owner }) => operator.setRoles(owner, ['lister']),
  },
  {
    sentence: 'the permission is taken from the role',
    end: ({ operator, tenantId }) => operator.setPermissions('lister', ['system:role:list'], tenantId),
    reason: 'permission_denied',
    undo: ({ operator, tenantId }) => operator.setPermissions('lister', ['system:user:list'], tenantId),
  },
  {
    sentence: 'its tenant is disabled',
    end: ({ operator, tenantId }) => operator.setTenantEnabled(tenantId, false),
    reason: 'token_ended',
    undo: ({ operator, tenantId }) => operator.setTenantEnabled(tenantId, true),
  },
  {
    sentence: 'it is ended',
    end: ({ db, owner, now }) => db.apiTokens.end(owner, now()),
    reason: 'token_ended',
  },
]

for (const { sentence, end, reason, undo } of rows) {
  test(`a token is refused with the next request once ${sentence}`, async (t) => {
    const { server, get } = await startApiTokens(t)
    const { operator, app, clock } = server
    const world = await inTenant({ operator, db: app.db, clock })
    expectSuccess(t, await get(list, world.token))
    await end(world)
    expectProblem(t, await get(list, world.token), reason)
    if (!undo) return
    await undo(world)
    expectSuccess(t, await get(list, world.token))
  })
}

test('a token is refused once its time is over, and outside of its addresses', async (t) => {
  const { server, add, get } = await startApiTokens(t)
  const { token } = await add({ addresses: ['192.0.2.0/24', '2001:db8:1::/48', '203.0.113.9'] })
  for (const address of ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.1', '2001:db8:1::9', '203.0.113.9'])
    expectSuccess(t, await get(list, token, address))
  for (const address of ['192.0.3.0', '198.51.100.1', '2001:db8:2::9', '203.0.113.8', '::ffff:203.0.113.8'])
    expectProblem(t, await get(list, token, address), 'token_not_allowed')
  const none = await add({ addresses: [] })
  expectProblem(t, await get(list, none.token), 'token_not_allowed')
  const endless = await add({ expiry: null })
  server.clock.advance(90 * 24 * 3600 - 1)
  expectSuccess(t, await get(list, token))
  server.clock.advance(1)
  expectProblem(t, await get(list, token), 'token_expired')
  expectSuccess(t, await get(list, endless.token))
})

test('a token that has ended or expired is kept for 30 days, and one without an end for ever', async (t) => {
  const { server, job, add } = await startApiTokens(t)
  const { db } = server.app
  const now = server.clock.now()
  const expired = await add({ expiry: now + day })
  const ended = await add({ expiry: null })
  await add({ expiry: null })
  await db.apiTokens.end(job.id, now, [ended.id])
  t.equal(await purge(db, 'api_tokens', now + 30 * day - 1, 10), 0)
  t.equal(await purge(db, 'api_tokens', now + 30 * day, 10), 1, 'the ended one')
  t.equal(await purge(db, 'api_tokens', now + 31 * day, 10), 1, 'the expired one')
  t.equal(await purge(db, 'api_tokens', now + 1000 * day, 10), 0)
  t.equal((await db.apiTokens.liveOfUser(job.id, now)).map(({ id }) => id).includes(expired.id), false)
})

test('each end reaches three processes with their next request', async (t) => {
  const three = await startThree(t)
  const { operator, db } = three
  await operator.addRole('reader', 'Reader', ['system:role:list'])
  for (const { sentence, end, reason, undo } of rows) {
    const world = await inTenant({ operator, db, clock: { now: Date.now } }, sentence)
    const ask = () => three.everywhere((server) => server.call('GET', list, { token: world.token }))
    // Each process keeps what it has read.
    for (const answer of [...(await ask()), ...(await ask())]) expectSuccess(t, answer)
    await end(world)
    for (const answer of await ask()) expectProblem(t, answer, reason)
    if (!undo) continue
    await undo(world)
    for (const answer of await ask()) expectSuccess(t, answer)
  }
})
