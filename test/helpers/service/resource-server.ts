import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { startServer, type Answer, type ServerOptions } from './server.js'

export const reportsSecret = 'a-secret-of-the-reports-service-that-is-long'
export const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** A server that lets the service `reports` ask for tokens. */
export const startWithReports = async (t: Test, { settings = {}, ...options }: ServerOptions = {}) => {
  const introspection = { clients: [{ id: 'reports', secret: sha256(reportsSecret) }] }
  const server = await startServer(t, { ...options, settings: { introspection, ...settings } })
  const ask = (token: string, authorization = basic('reports', reportsSecret)) =>
    server.call('POST', '/auth/introspect', { form: { token }, headers: { authorization } })
  return { server, ask }
}

/** The answer about a token, which has no envelope. */
export const told = ({ body }: Answer): Record<string, any> => body
