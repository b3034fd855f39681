import { test, type Test } from 'tap'
import { startWithRoutes, type Route } from '../helpers/service/routes.js'
import type { Answer, ServerOptions, TestServer } from '../helpers/service/server.js'
import { createCallers, createWeakAdministrator, type Caller } from './operation-callers.js'
import { operationRequests } from './operation-requests.js'
import { addVictim, digestOf, marker, type Victim } from './operation-victim.js'

/** Operations that answer otherwise than their access rule says, and why. */
const exceptions: Record<string, string> = {
  'POST /auth/factors/totp': 'a ticket in the body takes the place of the token',
  'POST /auth/factors/totp/confirm': 'a ticket in the body takes the place of the token',
  'POST /auth/factors/passkey/options': 'a ticket in the body takes the place of the token',
  'POST /auth/factors/passkey': 'a ticket in the body takes the place of the token',
  'POST /auth/factors/setup-code': 'a ticket in the body takes the place of the token',
}

const outcomeOf = ({ status, body }: Answer): string =>
  String(status === 200 ? 'success' : ((body as Answer['body'] | undefined)?.data?.reason ?? status))

/** Sends every request as a caller. Resolves to how many the access rule refused. */
const askAll = async (
  t: Test,
  server: TestServer,
  routes: Route[],
  victim: Victim,
  caller: Caller,
): Promise<number> => {
  const digest = () => digestOf(server, victim, caller.accounts, caller.hasTenant === true)
  const before = await digest()
  const faults: string[] = []
  let refused = 0
  for (const { name, route, method, address, json } of operationRequests(server, routes, victim)) {
    const token = await caller.token()
    const options = { ...(token === undefined ? {} : { token }), ...(json === undefined ? {} : { json }) }
    const answer = await server.call(method, address, options)
    const [outcome, expected] = [outcomeOf(answer), caller.expected(route)]
    const hasTicket = name in exceptions && (json as { ticket?: unknown } | undefined)?.ticket !== undefined
    const what = `${name} ${JSON.stringify(json ?? '').slice(0, 80)}`
    if (expected !== undefined && !hasTicket && outcome !== expected)
      faults.push(`${what}: ${outcome}, not ${expected}`)
    if (answer.status >= 500 && answer.status !== 503) faults.push(`${what}: ${answer.status}`)
    if (answer.status === 200 && answer.text.includes(marker)) faults.push(`${what} shows what belongs to another`)
    if (expected !== undefined && outcome === expected) refused++
  }
  t.strictSame(faults.slice(0, 20), [], caller.name)
  t.strictSame(await digest(), before, `${caller.name} has changed nothing of others`)
  const { status } = await server.call('GET', '/auth/userInfo', { token: victim.token })
  t.equal(status, 200, 'the session of somebody else is live')
  return refused
}

const start = async (t: Test, options: ServerOptions = {}) => {
  const { server, routes } = await startWithRoutes(t, {
    ...options,
    settings: {
      captcha: { mode: 'never' },
      lockout: { nameFailures: 100 },
      clients: { pc: { idleTtl: 3600 * 24 * 30, maxTtl: 3600 * 24 * 30, maxSessions: 1000 } },
      ...options.settings,
    },
  })
  return { server, routes }
}

test('no operation of either document gives seven kinds of callers what belongs to others, or changes it', async (t) => {
  const { server, routes } = await start(t)
  const { id: tenantId } = await server.operator.addTenant('Somebody')
  const callers = await createCallers(server, tenantId)
  const victim = await addVictim(server, tenantId)
  for (const caller of callers) {
    const refused = await askAll(t, server, routes, victim, caller)
    t.comment(`${caller.name}: ${refused} requests refused by the access rule`)
    if (!caller.hasTenant) t.ok(refused > 60, `${caller.name}: ${refused}`)
  }
})

test('the same requests are those of a system administrator: they show and change what there is', async (t) => {
  const { server, routes } = await start(t)
  const victim = await addVictim(server)
  let shown = 0
  for (const { method, address, json } of operationRequests(server, routes, victim)) {
    const { accessToken: token } = await server.signIn()
    const answer = await server.call(method, address, { token, ...(json === undefined ? {} : { json }) })
    if (answer.status === 200 && answer.text.includes(marker)) shown++
  }
  t.ok(shown > 15, `${shown} answers show the other tenant`)
  const digest = await digestOf(server, victim, ['admin'], true)
  t.equal((await server.call('GET', '/auth/userInfo', { token: victim.token })).status, 401, 'its session has ended')
  t.ok(digest)
})

test('where administration asks for two factors, one of them opens no operation that administers', async (t) => {
  const { server, routes } = await start(t, { settings: { secondFactor: { administration: 'aal2' } } })
  const victim = await addVictim(server)
  const refused = await askAll(t, server, routes, victim, await createWeakAdministrator(t, server))
  t.ok(refused > 60, `${refused} requests refused`)
})
