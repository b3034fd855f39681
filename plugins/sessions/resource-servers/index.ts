import fp from 'fastify-plugin'
import { createClientCheck } from './client-check.js'
import { createIntrospection } from './introspection.js'
import { serverMetadata } from './server-metadata.js'

const create = (
  { issuer, introspection: { clients } }: Parameters<typeof serverMetadata>[0],
  sessions: Parameters<typeof createIntrospection>[0],
  tokens: Parameters<typeof createIntrospection>[1],
) => ({
  authenticate: createClientCheck(clients),
  introspect: createIntrospection(sessions, tokens),
  /** Undefined while the issuer is not a URL. */
  metadata: serverMetadata({ issuer, introspection: { clients } }),
})

declare module 'fastify' {
  interface FastifyInstance {
    /** What services that accept access tokens ask for. */
    resourceServers: ReturnType<typeof create>
  }
}

export default fp(
  async (app) => {
    app.decorate('resourceServers', create(app.installation.settings, app.sessions, app.tokens))
  },
  { name: 'sessions/resource-servers', dependencies: ['run/config', 'sessions/sessions', 'sessions/tokens'] },
)
