import type { Test } from 'tap'
import { userTypes } from '../../schemas/user.js'
import type { Route } from '../helpers/service/routes.js'
import type { TestServer } from '../helpers/service/server.js'
import { enrol } from '../helpers/service/factors.js'

/** What a caller gets at a route by its access rule; undefined where the route itself decides. */
type Expectation = (route: Route) => string | undefined

export interface Caller {
  name: string
  /** The accounts that it may change, because they are its own. */
  accounts: string[]
  /** Whether its own tenant is all that it may change. */
  hasTenant?: boolean
  token: () => Promise<string | undefined>
  expected: Expectation
}

const isClosed = ({ access }: Route) => access !== 'open'
const asksPermission = ({ access }: Route) => access !== 'open' && access !== 'session'
const administers = (route: Route) =>
  asksPermission(route) ||
  (route.access === 'session' && route.path.startsWith('/system/') && route.config.administers !== false)

const refusing =
  (reason: string, isRefused: (route: Route) => boolean): Expectation =>
  (route) =>
    isRefused(route) ? reason : undefined

/** Seven kinds of callers who may do nothing with what belongs to others. The eighth kind administers with one factor only. */
export const createCallers = async (server: TestServer, tenantId: number): Promise<Caller[]> => {
  const { id: foreign } = await server.operator.addTenant('Foreign')
  await server.operator.addRole('all', 'All', ['*:*:*'], foreign)
  const first = { roles: ['admin'], userType: userTypes.systemAdmin }
  await server.addUser('ended', first)
  await server.addUser('late', first)
  await server.addUser('plain', { tenantId })
  await server.addUser('chief', { tenantId: foreign, userType: userTypes.tenantAdmin, roles: ['all'] })
  const signIn = async (username: string, more: object = {}): Promise<string> =>
    (await server.signIn(username, undefined, { ...more })).accessToken
  /** Again when a request has ended the session. */
  const signedIn = (username: string, more: object = {}) => {
    let token = ''
    return async () => {
      const { status } = await server.call('GET', '/auth/userInfo', { token: token === '' ? 'x' : token })
      return status === 200 ? token : (token = await signIn(username, more))
    }
  }
  const late = await signIn('late')
  server.clock.advance(40 * 24 * 3600)
  // A password that somebody else has set is good for 30 days.
  await server.addUser('fresh', { ...first, forcePasswordChange: true })
  const ended = await signIn('ended')
  await server.call('POST', '/auth/logout', { token: ended, json: {} })
  return [
    {
      ...{ name: 'nobody', accounts: [], token: async () => undefined },
      expected: refusing('token_missing', isClosed),
    },
    {
      ...{ name: 'somebody with an invented token', accounts: [], token: async () => `${ended.slice(0, -8)}AAAAAAAA` },
      expected: refusing('token_invalid', isClosed),
    },
    {
      ...{ name: 'an administrator who has signed out', accounts: ['ended'], token: async () => ended },
      expected: refusing('session_revoked', isClosed),
    },
    {
      ...{ name: 'an administrator whose token has expired', accounts: ['late'], token: async () => late },
      expected: refusing('token_expired', isClosed),
    },
    {
      ...{ name: 'a user without roles', accounts: ['plain'], token: signedIn('plain', { tenantId }) },
      expected: refusing('permission_denied', asksPermission),
    },
    {
      ...{ name: 'the administrator of another tenant', accounts: ['chief'], hasTenant: true },
      ...{ token: signedIn('chief', { tenantId: foreign }), expected: () => undefined },
    },
    {
      ...{ name: 'an administrator who must change the password first', accounts: ['fresh'], token: signedIn('fresh') },
      expected: refusing('password_change_required', (route) => isClosed(route) && !route.config.beforePasswordChange),
    },
  ]
}

/** Has a factor, and a session from before it, where administration asks for two factors. */
export const createWeakAdministrator = async (t: Test, server: TestServer): Promise<Caller> => {
  const { accessToken: token } = await server.signIn()
  const { id } = await server.app.accounts.findUser('admin', 1)
  const { accessToken: other } = await server.signIn()
  await enrol(t, server, other)
  const again = async (): Promise<string> => {
    const { db } = server.app
    await db.users.setHasSecondFactor(id, false, server.clock.now())
    const { accessToken } = await server.signIn()
    await db.users.setHasSecondFactor(id, true, server.clock.now())
    return accessToken
  }
  let current = token
  return {
    name: 'a system administrator who has proved one factor of two',
    accounts: ['admin'],
    async token() {
      const { status } = await server.call('GET', '/auth/userInfo', { token: current })
      return status === 200 ? current : (current = await again())
    },
    expected: refusing('step_up_required', administers),
  }
}
