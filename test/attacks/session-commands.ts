import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { operatorActor } from '../../lib/actor.js'
import type { Clocked } from '../helpers/processes/clocked-processes.js'
import type { HostileProvider } from '../helpers/peers/hostile-provider.js'
import type { Answer } from '../helpers/service/server.js'
import { clients, type Client, type Model, type ModelToken, type ModelUser } from './session-model.js'

export interface Real {
  servers: Clocked
  /** Beside the servers, as a command line is. */
  operator: FastifyInstance
  provider: HostileProvider
  ids: Map<ModelUser, number>
  /** Phone number and e-mail address. */
  contacts: Map<ModelUser, { phone: string; email: string }>
  /** Names what has happened, for the message of a failure. */
  count(step: string): void
}

type Run<Input> = (model: Model, real: Real, input: Input) => Promise<void>
type Command = fc.AsyncCommand<Model, Real>

const methods = ['password', 'password_captcha', 'phone_captcha', 'email_captcha', 'oauth2', 'social'] as const
const secondsOf = [1, 9, 12, 61, 290, 310, 700, 1300, 3700, 7300]

const expectEqual = (actual: unknown, expected: unknown, what: string) => {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`)
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)]
const userOf = (model: Model, index: number): ModelUser => {
  const user = pick(model.users, index)
  if (!user) throw new Error('there are no users')
  return user
}
/** Mostly one of the latest tokens: old ones are nearly all dead. */
const tokenOf = (model: Model, index: number): ModelToken | undefined =>
  pick(model.tokens.slice(index % 4 === 0 ? 0 : -12), index >> 2)

/** One step: a second passes, then `run`. */
const step = <Input>(name: string, input: fc.Arbitrary<Input>, run: Run<Input>): fc.Arbitrary<Command> =>
  input.map((value) => ({
    check: () => true,
    async run(model: Model, real: Real) {
      real.count(name)
      model.advance(1)
      await real.servers.advance(1)
      await run(model, real, value)
    },
    toString: () => `${name}(${JSON.stringify(value)})`,
  }))

const index = fc.nat({ max: 10_000 })
const place = fc.record({ server: fc.nat({ max: 1 }), user: index, token: index })

/** The credentials of a sign-in by each method, fetched at one server; undefined when they are refused there. */
const credentialsOf = async (real: Real, user: ModelUser, authType: string, server: number, userClient: Client) => {
  const { call } = real.servers.at(server)
  const { tenant: tenantId, username, password } = user
  const contact = real.contacts.get(user) ?? { phone: '', email: '' }
  const ask = async (path: string, json: object): Promise<Answer['body']['data']> => {
    const answer = await call('POST', path, { json: { tenantId, userClient, ...json } })
    return answer.status === 200 ? answer.body.data : undefined
  }
  const visit = async () => {
    const path = `/social/authUrl/corporate?tenantId=${tenantId}&userClient=${userClient}`
    const { status, body } = await call('GET', path)
    return status === 200 ? real.provider.visit(body.data.authUrl, username) : undefined
  }
  if (authType === 'password') return { username, password }
  if (authType === 'password_captcha') {
    const { body } = await call('GET', `/auth/captcha?tenantId=${tenantId}`)
    return { username, password, code: body.data.code, codeKey: body.data.codeKey }
  }
  if (authType === 'phone_captcha' || authType === 'email_captcha') {
    const recipient = authType === 'phone_captcha' ? { phone: contact.phone } : { email: contact.email }
    const sent = await ask(`/auth/captcha/${authType === 'phone_captcha' ? 'sms' : 'email'}`, recipient)
    return sent && { ...recipient, code: sent.code, codeKey: sent.codeKey }
  }
  const visited = await visit()
  if (!visited || authType === 'oauth2') return visited && { authCode: visited.code, state: visited.state }
  const ticket = await ask('/social/callback', { platform: 'corporate', ...visited })
  return ticket && { socialTicket: ticket.socialTicket }
}

const signIn = step(
  'sign in',
  fc.record({ method: fc.constantFrom(...methods), client: fc.constantFrom<Client>('pc', 'app'), place }),
  async (model, real, { method, client, place: { server, user: chosen } }) => {
    const user = userOf(model, chosen)
    // One-time codes to a recipient are ten seconds apart.
    model.advance(11)
    await real.servers.advance(11)
    const credentials = await credentialsOf(real, user, method, server, client)
    // A code that one server has given is good at the other.
    const { call } = real.servers.at(server + 1)
    const json = { authType: method, tenantId: user.tenant, userClient: client, ...credentials }
    const answer = await call('POST', '/auth/login', { json })
    expectEqual(answer.status === 200, model.canSignIn(user, client), `sign-in of ${user.username}: ${answer.text}`)
    if (answer.status !== 200) return
    const { accessToken, expiresIn } = answer.body.data
    expectEqual(expiresIn, clients[client].accessTtl, 'expiresIn')
    model.addToken(model.signedIn(user, client), accessToken, expiresIn)
  },
)

const use = step('use a token', place, async (model, real, { server, token: chosen }) => {
  const token = tokenOf(model, chosen)
  if (!token) return
  const isAdmitted = model.use(token)
  const { status, text } = await real.servers.at(server).call('GET', '/auth/userInfo', { token: token.text })
  expectEqual(status, isAdmitted ? 200 : 401, `use of a token of ${token.session.user.username}: ${text}`)
})

const list = step('list users', place, async (model, real, { server, token: chosen }) => {
  const token = tokenOf(model, chosen)
  if (!token) return
  const expected = model.use(token) ? (token.session.user.mayList ? 200 : 403) : 401
  const { status, text } = await real.servers.at(server).call('GET', '/system/user/page', { token: token.text })
  expectEqual(status, expected, `list of ${token.session.user.username}: ${text}`)
})

const refresh = step('refresh', place, async (model, real, { server, token: chosen }) => {
  const token = tokenOf(model, chosen)
  if (!token) return
  const isExchanged = model.refresh(token)
  const { status, text, body } = await real.servers.at(server).call('POST', '/auth/refreshToken', { token: token.text })
  expectEqual(status, isExchanged ? 200 : 401, `refresh of ${token.session.user.username}: ${text}`)
  if (status === 200) model.addToken(token.session, body.data.accessToken, body.data.expiresIn)
})

const signOut = step('sign out', place, async (model, real, { server, token: chosen }) => {
  const token = tokenOf(model, chosen)
  if (!token) return
  const { status } = await real.servers.at(server).call('POST', '/auth/logout', { token: token.text })
  expectEqual(status, 200, 'sign-out')
  model.endSessions((session) => session === token.session)
})

const endOthers = step('end the other sessions', place, async (model, real, { server, token: chosen }) => {
  const token = tokenOf(model, chosen)
  if (!token) return
  const isAdmitted = model.use(token)
  const { status } = await real.servers.at(server).call('DELETE', '/auth/sessions', { token: token.text })
  expectEqual(status, isAdmitted ? 200 : 401, 'end of the other sessions')
  const { user } = token.session
  if (isAdmitted) model.endSessions((session) => session.user === user && session !== token.session)
})

const changePassword = step('change the password', place, async (model, real, { server, token: chosen }) => {
  const token = tokenOf(model, chosen)
  if (!token) return
  const { user } = token.session
  const isAdmitted = model.use(token)
  const newPassword = `violet umbrella ${model.now()}`
  const json = { oldPassword: user.password, newPassword }
  const answer = await real.servers.at(server).call('POST', '/auth/changePassword', { token: token.text, json })
  expectEqual(answer.status, isAdmitted ? 200 : 401, `change of the password: ${answer.text}`)
  if (!isAdmitted) return
  user.password = newPassword
  model.endSessions((session) => session.user === user && session !== token.session)
})

const reset = step('reset the password', place, async (model, real, { server, user: chosen }) => {
  const user = userOf(model, chosen)
  model.advance(11)
  await real.servers.advance(11)
  const recipient = real.contacts.get(user)?.email
  const tenantId = user.tenant
  const sent = await real.servers.at(server).call('POST', '/auth/password/forgot', { json: { recipient, tenantId } })
  const { code, codeKey } = sent.body.data as { code?: string; codeKey?: string }
  const newPassword = `green umbrella ${model.now()}`
  const json = { recipient, tenantId, code, codeKey, newPassword }
  const { status, text } = await real.servers.at(server + 1).call('POST', '/auth/password/reset', { json })
  const isActive = user.status === 1 && !model.disabledTenants.has(user.tenant)
  expectEqual(status === 200, isActive, `reset of ${user.username}: ${text}`)
  if (status !== 200) return
  user.password = newPassword
  model.endSessions((session) => session.user === user)
})

const kick = step('kick', place, async (model, real, { user: chosen, token }) => {
  const user = userOf(model, chosen)
  const id = real.ids.get(user) ?? 0
  const live = await real.operator.db.sessions.live(id, model.now())
  const [one] = live.length > 0 ? [pick(live, token)] : []
  if (!one) return
  await real.operator.management.sessions.end(operatorActor(), one.id)
  model.endSessions((session) => session.user === user && session.start === one.createTime)
})

const setStatus = step(
  'set the status',
  fc.record({ user: index, status: fc.constantFrom(0, 1, 1, 2) }),
  async (model, real, { user: chosen, status }) => {
    const user = userOf(model, chosen)
    await real.operator.management.edit(operatorActor(), real.ids.get(user) ?? 0, { userStatus: status })
    user.status = status
    if (status !== 1) model.endSessions((session) => session.user === user)
  },
)

const ban = step(
  'ban or unban',
  fc.record({ user: index, seconds: fc.constantFrom(0, 0, 30, 600) }),
  async (model, real, { user: chosen, seconds }) => {
    const user = userOf(model, chosen)
    const { bans } = real.operator.management
    const id = real.ids.get(user) ?? 0
    if (seconds === 0) await bans.unban(operatorActor(), id)
    else await bans.ban(operatorActor(), id, seconds, null)
    user.bannedUntil = seconds === 0 ? 0 : model.now() + seconds * 1000
    if (seconds > 0) model.endSessions((session) => session.user === user)
  },
)

const setTenant = step(
  'disable or enable a tenant',
  fc.record({ enabled: fc.constantFrom(true, true, false) }),
  async (model, real, { enabled }) => {
    const tenant = Math.max(...model.users.map((user) => user.tenant))
    await real.operator.management.tenants.edit(operatorActor(), tenant, { enabled })
    if (enabled) model.disabledTenants.delete(tenant)
    else {
      model.disabledTenants.add(tenant)
      model.endSessions((session) => session.user.tenant === tenant)
    }
  },
)

const setRole = step(
  'give or take the role',
  fc.record({ user: index, mayList: fc.boolean() }),
  async (model, real, { user: chosen, mayList }) => {
    const user = userOf(model, chosen)
    await real.operator.management.setRoles(operatorActor(), real.ids.get(user) ?? 0, mayList ? ['lister'] : [])
    user.mayList = mayList
  },
)

const setPassword = step('set a password for somebody', place, async (model, real, { user: chosen }) => {
  const user = userOf(model, chosen)
  const password = `orange umbrella ${model.now()}`
  const options = { forcePasswordChange: false }
  await real.operator.management.setPassword(operatorActor(), real.ids.get(user) ?? 0, password, options)
  user.password = password
  model.endSessions((session) => session.user === user)
})

const rotate = step('rotate the signing key', fc.constant(null), async (_model, real) => {
  // There may be a next key already.
  await real.operator.tokens.rotation.rotate(60_000).catch(() => undefined)
})

const advance = step('let time pass', fc.constantFrom(...secondsOf), async (model, real, seconds) => {
  model.advance(seconds)
  await real.servers.advance(seconds)
})

/** A restart takes much longer than other steps, so most of these do nothing. */
const restart = step(
  'restart',
  fc.record({ server: fc.nat({ max: 1 }), signal: fc.constantFrom('SIGTERM', 'SIGKILL', null, null, null) }),
  async (_model, real, { server, signal }) => {
    if (signal !== null) await real.servers.restart(server, signal)
  },
)

const times = <T>(count: number, command: T): T[] => Array.from({ length: count }, () => command)

/** Frequent steps stand several times. */
export const commands: fc.Arbitrary<Command>[] = [
  ...times(10, signIn),
  ...times(14, use),
  ...times(5, list),
  ...times(10, refresh),
  ...times(8, advance),
  ...times(2, signOut),
  ...times(2, setStatus),
  ...times(2, ban),
  ...times(2, setRole),
  ...[endOthers, changePassword, reset, kick, setTenant, setPassword, rotate],
  restart,
]
