import type { Test } from 'tap'
import { startServer, type ServerOptions, type TestServer } from '../../helpers/service/server.js'

/** A server, and the token of its first administrator. */
export const startWithAdministrator = async (t: Test, options: ServerOptions = {}) => {
  const server = await startServer(t, options)
  const token = (await server.signIn()).accessToken
  return { server, token }
}

/** A page of the audit trail, latest first. */
export const audit = async (server: TestServer, token: string, query = '') =>
  (await server.call('GET', '/system/audit/page', { token, query })).body.data.records as Record<string, any>[]
