import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { isName } from '../accounts/names.js'
import { createAgreements, type Browser } from './agreements.js'
import { createFederation, type Federation } from './federation.js'
import { createLinks, type Links } from './links.js'
import type { Provider } from './provider.js'
import { createTickets } from './tickets.js'

declare module 'fastify' {
  interface FastifyInstance {
    federation: Federation & { links: Links }
  }
  interface FastifyRequest {
    /** What tells the browser of the request from another. */
    readonly browser: Browser
  }
  interface FastifyReply {
    /** Leaves a key in the browser that begins a sign-in elsewhere. */
    rememberBrowser(key: string): void
  }
}

const cookie = 'rollcall_browser'

/** What speaks to providers takes a while to load: only those who have some wait for it. */
const openProviders = async (app: FastifyInstance): Promise<Provider[]> => {
  const { federation } = app.installation.settings
  if (federation.providers.length === 0) return []
  const { createOutbound } = await import('./outbound.js')
  const { createProviders } = await import('./providers.js')
  const outbound = createOutbound(federation)
  app.addHook('onClose', () => outbound.close())
  return createProviders(federation, outbound, app.clock)
}

export default fp(
  async (app) => {
    const { clock, db, store, tokens } = app
    const { federation: settings } = app.installation.settings
    const providers = await openProviders(app)
    const agreements = createAgreements(store, tokens.sealing, settings.acceptUnboundBrowsers)
    const federation = createFederation({
      providers,
      agreements,
      tickets: createTickets(store),
    })
    const { unknownIdentity } = settings
    app.decorate('federation', {
      ...federation,
      links: createLinks({ db, clock, unknownIdentity, isName }),
    })
    app.decorateRequest('browser', {
      getter() {
        return { key: this.cookieOf(cookie), isBrowser: this.isFromBrowser }
      },
    })
    app.decorateReply('rememberBrowser', function (key) {
      this.leaveCookie(cookie, key, agreements.lifetime)
    })
  },
  {
    name: 'federation',
    dependencies: ['browser-requests', 'clock', 'config', 'cookies', 'database', 'store', 'tokens'],
  },
)
