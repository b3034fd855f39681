import type { Test } from 'tap'
import type { NewApiToken } from '../../../db/repositories/api-tokens.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { startServer, type ServerOptions, type TestServer } from '../../helpers/service/server.js'

export const list = '/system/user/page'

/** A server with `job`, a user whose role allows to list users and roles, and what tokens of it do. */
export const startApiTokens = async (t: Test, options: ServerOptions = {}) => {
  const server: TestServer = await startServer(t, { environment: { TRUST_PROXY: '127.0.0.1' }, ...options })
  await server.operator.addRole('lister', 'Lister', ['system:user:list', 'system:role:list'])
  const job = await server.addUser('job', { roles: ['lister'] })
  const add = (more: Partial<NewApiToken> = {}, owner = job) => addApiToken(server.app.db, server.clock, owner, more)
  const get = (path: string, token: string, address = '192.0.2.7') =>
    server.call('GET', path, { token, headers: { 'x-forwarded-for': address } })
  return { server, job, add, get }
}
