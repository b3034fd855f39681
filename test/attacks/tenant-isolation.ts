import type { Test } from 'tap'
import { operatorActor } from '../../lib/actor.js'
import { echo } from '../helpers/service/captcha.js'
import { startPeer } from '../helpers/peers/http-peer.js'
import { bodyOf, startMailServer } from '../helpers/peers/mail-server.js'
import { createRandom, type Random } from '../helpers/values/random.js'
import { startServer, type Answer, type CallOptions, type TestServer } from '../helpers/service/server.js'

const phone = '13800138000'
const email = 'alice@example.com'
const wrong = 'wrong horse battery'

/** A tenant as one of its people knows it. The names, numbers and addresses are the same in all tenants. */
interface World {
  server: TestServer
  tenantId: number
  password: string
  listToken: string
  token: string
  earlierToken: string
  code: { sms: string; email: string }
  captcha: { code: string; codeKey: string }
  /** Orders a code and waits for it, when one is sent. */
  receive: (channel: 'sms' | 'email', requestCode: () => Promise<Answer>) => Promise<Answer>
}

/** What chance has no part in: without tokens, keys, pictures and codes. */
const see = ({ status, headers, body }: Answer): unknown => {
  const secrets = ['accessToken', 'codeKey', 'image', 'code', 'id']
  const data: unknown = JSON.parse(
    JSON.stringify(body.data, (key, value: unknown) => (secrets.includes(key) ? undefined : value)),
  )
  return { status, wait: headers.get('retry-after'), data }
}

const login = async (world: World, random: Random, json: object): Promise<unknown> => {
  // Clients that attach the token of their last session are on a known device.
  const header: CallOptions = random.chance(0.5) ? { token: world.token } : {}
  const answer = await world.server.call('POST', '/auth/login', {
    json: { tenantId: world.tenantId, ...json },
    ...header,
  })
  if (answer.status === 200) {
    world.earlierToken = world.token
    world.token = answer.body.data.accessToken
  }
  return see(answer)
}
const get = async ({ server, token }: World, path: string, options: CallOptions = {}) =>
  see(await server.call('GET', path, { token, ...options }))

const recipients = { sms: { phone }, email: { email } }
const methods = { sms: 'phone_captcha', email: 'email_captcha' }
const requestCode = async (world: World, channel: 'sms' | 'email'): Promise<unknown> => {
  const json = { tenantId: world.tenantId, ...recipients[channel] }
  return see(await world.receive(channel, () => world.server.call('POST', `/auth/captcha/${channel}`, { json })))
}
const signInByCode = async (world: World, random: Random, channel: 'sms' | 'email'): Promise<unknown> => {
  const requested = random.chance(0.6) ? await requestCode(world, channel) : undefined
  const code = random.chance(0.7) ? world.code[channel] : '000000'
  return [requested, await login(world, random, { authType: methods[channel], ...recipients[channel], code })]
}
const askCaptcha = async (world: World): Promise<unknown> => {
  const answer = await world.server.call('GET', '/auth/captcha', { query: { tenantId: world.tenantId } })
  world.captcha = answer.body.data
  return see(answer)
}

/** Everything that people and operators do, in a tenant of theirs; returns all that can be seen of it. */
const operations: Record<string, (world: World, random: Random) => Promise<unknown>> = {
  signIn: (world, random) =>
    login(world, random, { username: 'alice', password: random.chance(0.6) ? world.password : wrong }),
  guess: async (world, random) => {
    const seen = []
    for (let count = 0; count < 5; count++)
      seen.push(await login(world, random, { username: 'alice', password: wrong }))
    return seen
  },
  askCaptcha,
  solveCaptcha: async (world, random) => {
    const asked = random.chance(0.6) ? await askCaptcha(world) : undefined
    const { code, codeKey } = world.captcha
    const password = random.chance(0.6) ? world.password : wrong
    const json = { authType: 'password_captcha', username: 'alice', password, code, codeKey }
    return [asked, await login(world, random, json)]
  },
  requestSmsCode: (world) => requestCode(world, 'sms'),
  requestEmailCode: (world) => requestCode(world, 'email'),
  signInBySms: (world, random) => signInByCode(world, random, 'sms'),
  signInByEmail: (world, random) => signInByCode(world, random, 'email'),
  refresh: async (world, random) => {
    const token = random.chance(0.8) ? world.token : world.earlierToken
    const answer = await world.server.call('POST', '/auth/refreshToken', { token })
    if (answer.status === 200) {
      world.earlierToken = token
      world.token = answer.body.data.accessToken
    }
    return see(answer)
  },
  logout: async ({ server, token }) => see(await server.call('POST', '/auth/logout', { token })),
  changePassword: async (world, random) => {
    const { server, token, tenantId } = world
    const newPassword = `plain green teapot ${tenantId} ${random.below(1000)}`
    const oldPassword = random.chance(0.7) ? world.password : wrong
    const answer = await server.call('POST', '/auth/changePassword', { token, json: { oldPassword, newPassword } })
    if (answer.status === 200) world.password = newPassword
    return see(answer)
  },
  userInfo: (world) => get(world, '/auth/userInfo'),
  sessions: async (world) => {
    const seen = (await get(world, '/auth/sessions')) as { data: unknown }
    // Of sessions of one moment chance decides which comes first.
    return Array.isArray(seen.data) ? seen.data.map((row) => JSON.stringify(row)).sort() : seen
  },
  endOthers: async ({ server, token }) => see(await server.call('DELETE', '/auth/sessions', { token })),
  list: (world) => get(world, '/system/user/page', { token: world.listToken }),
  log: ({ server, tenantId }) => server.app.loginLog.list({ tenantId, refusedOnly: false, limit: 500 }),
  config: ({ server, tenantId }) => get({ server, token: '' } as World, '/auth/loginConfig', { query: { tenantId } }),
  unlock: async ({ server, tenantId }) => {
    await server.operator.unlock('alice', tenantId)
  },
  disableAndEnable: async ({ server, tenantId }) => {
    for (const enabled of [false, true]) await server.operator.setEnabled('alice', enabled, tenantId)
  },
  closeAndOpen: async ({ server, tenantId }) => {
    for (const enabled of [false, true]) await server.operator.setTenantEnabled(tenantId, enabled)
  },
  doWithout: ({ server, tenantId }, random) =>
    server.app.login.ofTenant.change(operatorActor(), tenantId, {
      disable: [random.pick(['phone_captcha', 'email_captcha'])],
      enable: [],
    }),
  doWith: ({ server, tenantId }) =>
    server.app.login.ofTenant.change(operatorActor(), tenantId, {
      disable: [],
      enable: ['phone_captcha', 'email_captcha'],
    }),
}

interface Step {
  /** Index of the tenant; undefined for time that passes for all. */
  tenant: number | undefined
  operation: string
  seed: number
}

/** Pauses and captchas take several failures. */
const likely = [...Object.keys(operations), 'guess', 'guess', 'signIn', 'signIn']

const randomSteps = (random: Random, count: number): Step[] =>
  Array.from({ length: count }, () => {
    const seed = random.below(2 ** 30)
    if (random.chance(0.12)) return { tenant: undefined, operation: 'wait', seed }
    return { tenant: random.below(2), operation: random.pick(likely), seed }
  })

/** A server with two tenants in which the same people are, as far as names tell. */
const createWorlds = async (t: Test): Promise<World[]> => {
  const gateway = await startPeer(t, () => ({ status: 200 }))
  const mailServer = await startMailServer(t)
  const server = await startServer(t, {
    environment: { ...echo, SMTP_URL: mailServer.url },
    settings: {
      // The answers of two servers are compared: their ports must not be in them.
      passkeys: { rpId: 'localhost', origins: ['http://localhost:3000'] },
      // Later than the pause, so that both come to pass.
      captcha: { nameFailures: 8 },
      sms: { sender: 'webhook', webhook: { url: gateway.url, secret: 'shared with the gateway' } },
    },
  })
  const ids = [(await server.operator.addTenant('One')).id, (await server.operator.addTenant('Two')).id]
  const create = async (tenantId: number): Promise<World> => {
    const password = `plain green teapot ${tenantId}`
    await server.operator.addRole('reader', 'reader', ['system:user:list'], tenantId)
    await server.addUser('alice', { tenantId, password, phone, email })
    await server.addUser('reader', { tenantId, password, roles: ['reader'] })
    const listToken = (await server.signIn('reader', password, { tenantId })).accessToken
    const code = { sms: '', email: '' }
    return {
      server,
      tenantId,
      password,
      listToken,
      token: 'none',
      earlierToken: 'none',
      code,
      captcha: { code: 'none', codeKey: 'captcha:none' },
      receive: async (channel, requestCode) => {
        const count = (channel === 'sms' ? gateway.received : mailServer.mails).length
        const answer = await requestCode()
        if (answer.status !== 200) return answer
        const text =
          channel === 'sms'
            ? (await gateway.waitFor(count + 1)).at(-1)?.body
            : bodyOf((await mailServer.waitFor(count + 1)).at(-1)?.raw ?? '')
        code[channel] = /\b\d{6}\b/.exec(text?.replace(/"phone":"[^"]*"/, '') ?? '')?.[0] ?? ''
        return answer
      },
    }
  }
  // One after the other: equal ids in each run.
  const worlds: World[] = []
  for (const tenantId of ids) worlds.push(await create(tenantId))
  return worlds
}

/** Runs the steps of some tenants on a server of their own; returns what each tenant saw, step by step. */
const run = async (t: Test, steps: Step[], tenants: number[]) => {
  const worlds = await createWorlds(t)
  const seen: unknown[][] = worlds.map(() => [])
  for (const { tenant, operation, seed } of steps) {
    const random = createRandom(seed)
    if (tenant === undefined) worlds[0]?.server.clock.advance(random.pick([5, 30, 61, 61, 400]))
    const world = tenant === undefined ? undefined : worlds[tenant]
    if (tenant === undefined || !world || !tenants.includes(tenant)) continue
    seen[tenant]?.push({ operation, result: await operations[operation]?.(world, random) })
  }
  return seen
}

const reasonsIn = (seen: unknown) =>
  new Set([...JSON.stringify(seen).matchAll(/"reason":"(\w+)"/g)].map(([, word]) => word))

/** What a tenant sees must be the same whatever happens in another: 160 random steps with each seed. */
export const compareTenants = async (t: Test, seeds: number[]): Promise<void> => {
  const seen: unknown[] = []
  for (const seed of seeds) {
    await t.test(`seed ${seed}`, async (t) => {
      const steps = randomSteps(createRandom(seed), 160)
      const together = await run(t, steps, [0, 1])
      seen.push(together)
      for (const tenant of [0, 1]) t.same(together[tenant], (await run(t, steps, [tenant]))[tenant])
    })
  }
  const reasons = reasonsIn(seen)
  const expected = [
    ...['too_many_attempts', 'too_many_requests', 'invalid_credentials', 'invalid_code', 'captcha_required'],
    ...['unsupported_auth_type', 'token_invalid', 'session_revoked', 'token_expired'],
  ]
  t.same(
    expected.filter((reason) => !reasons.has(reason)),
    [],
    'enough has happened',
  )
  for (const authType of ['password', 'password_captcha', 'phone_captcha', 'email_captcha']) {
    t.match(
      JSON.stringify(seen),
      `"authType":"${authType}","userClient":"pc","address":"127.0.0.1","userAgent":"node","reason":null`,
    )
  }
}
