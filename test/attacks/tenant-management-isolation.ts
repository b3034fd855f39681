import type { Test } from 'tap'
import { createRandom, type Random } from '../helpers/values/random.js'
import { startServer, userPassword, type Answer, type TestServer } from '../helpers/service/server.js'

/** A tenant as its administrator knows it. The names are the same in both tenants, the ids are not. */
interface World {
  server: TestServer
  tenantId: number
  token: string
  /** Ids of its users and roles, also of deleted ones, in the order in which they were added. */
  users: number[]
  sessions: string[]
  /** The other tenant's, whose ids the administrator guesses. */
  other: () => World | undefined
}

const names = ['ann', 'ben', 'cay', 'dan', 'eve']
const roles = ['reader', 'writer', 'owner']
const permissions = ['page:text:read', 'page:text:write', 'system:user:list']

/** What a tenant sees, with ids as places in its own lists: they depend on the other tenant, and times do not matter. */
const see = (world: World, { status, body }: Answer): unknown => {
  const places: [string, (string | number)[]][] = [
    ['user', world.users],
    ['session', world.sessions],
  ]
  const place = (value: unknown) => {
    for (const [kind, list] of places) {
      const found = list.findIndex((id) => String(id) === String(value))
      if (found >= 0) return `${kind} ${found}`
    }
    return 'unknown'
  }
  const ids = ['id', 'userId', 'targetId', 'actorId', 'sessionId', 'tokenValue']
  const hidden = ['roleId', 'roleIds', 'updateTime', 'createTime', 'time', 'loginTime', 'lastActiveTime', 'expireTime']
  // Ids of roles and of rows of the trail depend on the other tenant.
  const isElsewhere = (row: object, key: string): boolean =>
    (key === 'id' && ('key' in row || 'action' in row)) ||
    (key === 'targetId' && (row as { targetType?: string }).targetType !== 'user')
  const replace = function (this: object, key: string, value: unknown): unknown {
    if (hidden.includes(key) || isElsewhere(this, key)) return undefined
    if (value === null) return null
    if (key === 'tenantId') return value === world.tenantId ? 'own' : 'FOREIGN'
    return ids.includes(key) ? place(value) : value
  }
  return { status, data: JSON.parse(JSON.stringify(body.data, replace)) as unknown }
}

type Operation = (world: World, random: Random) => Promise<unknown>

const pickUser = ({ users }: World, random: Random): number => random.pick(users)
const send =
  (method: string, path: (world: World, random: Random) => string, json?: (random: Random) => object): Operation =>
  async (world, random) => {
    const url = path(world, random)
    const options = json ? { json: json(random) } : {}
    return see(world, await world.server.call(method, url, { token: world.token, ...options }))
  }
const user =
  (suffix = '') =>
  (world: World, random: Random) =>
    `/system/user/${pickUser(world, random)}${suffix}`

/** What the administrator of a tenant does in it. */
const operations: Record<string, Operation> = {
  add: async (world, random) => {
    const username = random.pick(names)
    const json = { username, password: userPassword, email: `${username}@example.com`, roleKeys: [random.pick(roles)] }
    const answer = await world.server.call('POST', '/system/user', { token: world.token, json })
    if (answer.status === 200) world.users.push(answer.body.data.id)
    return see(world, answer)
  },
  view: send('GET', user()),
  edit: send('PATCH', user(), (random) => ({
    realName: random.pick(names),
    email: `${random.pick(names)}@example.com`,
  })),
  rename: send('PATCH', user(), (random) => ({ username: random.pick(names) })),
  remove: send('DELETE', user()),
  disable: send('POST', user('/disable')),
  enable: send('POST', user('/enable')),
  unlock: send('POST', user('/unlock')),
  setRoles: send('PUT', user('/roles'), (random) => ({ roleKeys: [random.pick(roles)] })),
  batch: async (world, random) => {
    const json = { ids: [...new Set([pickUser(world, random), pickUser(world, random)])], action: 'disable' }
    return see(world, await world.server.call('POST', '/system/user/batch', { token: world.token, json }))
  },
  signIn: async (world, random) => {
    const json = { username: random.pick(names), password: userPassword, tenantId: world.tenantId }
    const { status } = await world.server.call('POST', '/auth/login', { json })
    return status
  },
  list: send('GET', () => '/system/user/page?pageSize=100'),
  export: async (world) => {
    const { text } = await world.server.call('GET', '/system/user/export', { token: world.token })
    // Without ids and times.
    return text.split('\r\n').map((line) => line.split(',').slice(1, 12))
  },
  addRole: send(
    'POST',
    () => '/system/role',
    (random) => ({ key: random.pick(roles), name: random.pick(names), permissions: [random.pick(permissions)] }),
  ),
  editRole: send(
    'PATCH',
    (_world, random) => `/system/role/${random.pick(roles)}`,
    (random) => ({ permissions: [random.pick(permissions)] }),
  ),
  removeRole: send('DELETE', (_world, random) => `/system/role/${random.pick(roles)}`),
  viewRole: send('GET', (_world, random) => `/system/role/${random.pick(roles)}`),
  listRoles: send('GET', () => '/system/role/page?pageSize=100'),
  listSessions: async (world) => {
    const path = '/system/session/page?pageSize=100&orderByColumn=loginTime&isAsc=asc'
    const answer = await world.server.call('GET', path, { token: world.token })
    for (const { id } of answer.body.data?.records ?? []) if (!world.sessions.includes(id)) world.sessions.push(id)
    return (see(world, answer) as { data: { total: number } }).data.total
  },
  viewTenant: send('GET', ({ tenantId }) => `/system/tenant/${tenantId}`),
  listTenants: send('GET', () => '/system/tenant/page'),
  listLogins: async (world) => {
    const answer = await world.server.call('GET', '/system/login-log/page?pageSize=100', { token: world.token })
    return answer.body.data.total
  },
  audit: send('GET', () => '/system/audit/page?pageSize=100'),
}

/** What an administrator does to ids of the other tenant; it must never succeed. */
const attacks: Record<string, (world: World, other: World, random: Random) => Promise<Answer>> = Object.fromEntries(
  (
    [
      ['GET', '', undefined],
      ['PATCH', '', { realName: 'taken over' }],
      ['DELETE', '', undefined],
      ['POST', '/disable', undefined],
      ['POST', '/unlock', undefined],
      ['POST', '/password', { password: 'another long phrase' }],
      ['PUT', '/roles', { roleKeys: [] }],
    ] as const
  ).map(([method, suffix, json]) => [
    `${method} ${suffix}`,
    (world: World, other: World, random: Random) =>
      world.server.call(method, `/system/user/${pickUser(other, random)}${suffix}`, {
        token: world.token,
        ...(json ? { json } : {}),
      }),
  ]),
)

interface Step {
  tenant: number
  operation: string
  seed: number
}

const createWorlds = async (t: Test, tenants: number[]): Promise<World[]> => {
  const server = await startServer(t)
  const worlds: World[] = []
  for (const name of ['One', 'Two']) {
    const { id: tenantId } = await server.operator.addTenant(name)
    await server.operator.addRole('boss', 'boss', ['*:*:*'], tenantId)
    const { id } = await server.addUser('boss', { tenantId, userType: 1, roles: ['boss'] })
    const first = await server.addUser('ann', { tenantId })
    const token = (await server.signIn('boss', userPassword, { tenantId })).accessToken
    const index = worlds.length
    const other = () => (tenants.length > 1 ? worlds[1 - index] : undefined)
    worlds.push({ server, tenantId, token, users: [id, first.id], sessions: [], other })
  }
  return worlds
}

const run = async (t: Test, steps: Step[], tenants: number[]) => {
  const worlds = await createWorlds(t, tenants)
  const seen: unknown[][] = worlds.map(() => [])
  for (const { tenant, operation, seed } of steps) {
    const world = worlds[tenant]
    if (!world || !tenants.includes(tenant)) continue
    const random = createRandom(seed)
    seen[tenant]?.push({ operation, result: await operations[operation]?.(world, random) })
    const other = world.other()
    if (!other) continue
    const attack = random.pick(Object.keys(attacks))
    const answer = await attacks[attack]?.(world, other, random)
    t.equal(answer?.status, 404, `${attack} does not reach the other tenant: ${answer?.text}`)
  }
  return seen
}

/** What an administrator does in a tenant must neither show in another nor change it: 200 random steps with each seed. */
export const compareManagement = async (t: Test, seeds: number[]): Promise<void> => {
  const results: unknown[] = []
  for (const seed of seeds) {
    await t.test(`seed ${seed}`, async (t) => {
      const random = createRandom(seed)
      const steps = Array.from({ length: 200 }, () => ({
        tenant: random.below(2),
        operation: random.pick(Object.keys(operations)),
        seed: random.below(2 ** 30),
      }))
      const together = await run(t, steps, [0, 1])
      results.push(together)
      for (const tenant of [0, 1]) t.same(together[tenant], (await run(t, steps, [tenant]))[tenant])
    })
  }
  const text = JSON.stringify(results)
  t.notMatch(text, /FOREIGN/)
  for (const reason of ['invalid_request', 'not_found']) t.match(text, `"reason":"${reason}"`, `${reason} has happened`)
  for (const name of Object.keys(operations)) t.match(text, `"operation":"${name}"`)
}
