import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createAuthorizationRequests } from './authorization-requests.js'
import { createFederation, type Federation } from './federation.js'
import { createIdentityOwners, type AddUser, type IdentityOwners } from './identity-owners.js'
import type { Provider } from './provider.js'
import { createTickets } from './tickets.js'

declare module 'fastify' {
  interface FastifyInstance {
    federation: Federation & {
      owners: IdentityOwners
      /** Lifetime of the cookie of an authorization request, seconds. */
      browserKeyLifetime: number
    }
  }
}

/** Loads the libraries only if providers are configured, because loading them takes time. */
const loadProviders = async (app: FastifyInstance): Promise<Provider[]> => {
  const { federation } = app.installation.settings
  if (federation.providers.length === 0) return []
  const { createOutbound } = await import('../../../lib/outbound.js')
  const { createProviders } = await import('./providers.js')
  const outbound = createOutbound(federation)
  app.addHook('onClose', () => outbound.close())
  return createProviders(federation, { outbound, clock: app.clock, log: app.log })
}

export default fp<{ addUser: AddUser }>(
  async (app, { addUser }) => {
    const { encryption, store } = app
    const { federation: settings } = app.installation.settings
    const providers = await loadProviders(app)
    const authorizationRequests = createAuthorizationRequests(store, encryption, settings.acceptUnboundBrowsers)
    const federation = createFederation({
      providers,
      authorizationRequests,
      tickets: createTickets(store),
    })
    app.decorate('federation', {
      ...federation,
      browserKeyLifetime: authorizationRequests.lifetime,
      owners: createIdentityOwners(app, addUser),
    })
  },
  { name: 'identity/federation' },
)
