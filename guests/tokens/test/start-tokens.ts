import type { Test } from 'tap'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, type ServerOptions } from '../../../test/helpers/service/server.js'

/** A service, its administrator, and what makes and uses API tokens there. */
export const startTokens = async (t: Test, options: ServerOptions = {}) => {
  const server = await startServer(t, options)
  const { accessToken: admin } = await server.signIn()
  const make = (token: string, json: object = {}) =>
    server.call('POST', '/auth/tokens', { token, json: { name: 'nightly export', ...json } })
  /** A service account with one role. */
  const addService = async (permissions: string[], username = 'nightly') => {
    await server.operator.addRole(username, username, permissions)
    const json = { username, userType: 3, roleKeys: [username] }
    return expectSuccess(t, await server.call('POST', '/system/user', { token: admin, json }))
  }
  const makeFor = (id: number, json: object = {}, token = admin) =>
    server.call('POST', `/system/user/${id}/tokens`, { token, json: { name: 'job', ...json } })
  const get = (path: string, token: string, address?: string) =>
    server.call('GET', path, { token, headers: address === undefined ? {} : { 'x-forwarded-for': address } })
  return { server, admin, make, addService, makeFor, get }
}
