import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Access } from '../../../plugins/http/access/admission.js'
import { startServer, type ServerOptions } from './server.js'

export interface Route {
  method: string
  /** With parameters as in `/system/user/:id`. */
  path: string
  access: Access
  config: FastifyContextConfig
}

/** Starts a service with all features; returns its routes as they say themselves, without HEAD. */
export const startWithRoutes = async (t: Test, options: ServerOptions = {}) => {
  const routes: Route[] = []
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const verb of [method].flat().filter((name) => name !== 'HEAD')) {
        routes.push({ method: verb, path: url, access: config?.access ?? 'open', config: config ?? {} })
      }
    })
  }
  subscribe('fastify.initialization', watch)
  t.teardown(() => unsubscribe('fastify.initialization', watch))
  return { server: await startServer(t, { environment: { TRUST_PROXY: '127.0.0.1' }, ...options }), routes }
}
