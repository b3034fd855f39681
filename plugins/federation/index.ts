import fp from 'fastify-plugin'
import { isName } from '../accounts/names.js'
import { createAgreements, type Browser } from './agreements.js'
import { createFederation, type Federation } from './federation.js'
import { createLinks, type Links } from './links.js'
import { createOutbound } from './outbound.js'
import { createProviders } from './providers.js'
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

export default fp(
  async (app) => {
    const { clock, db, store, tokens } = app
    const { federation: settings } = app.installation.settings
    const outbound = createOutbound(settings)
    app.addHook('onClose', () => outbound.close())
    const agreements = createAgreements(store, tokens.sealing, settings.requireBrowser)
    const federation = createFederation({
      providers: createProviders(settings, outbound, clock),
      agreements,
      tickets: createTickets(store),
    })
    const { unknownIdentity } = settings
    app.decorate('federation', {
      ...federation,
      links: createLinks({ db, clock, federation, unknownIdentity, isName }),
    })
    app.decorateRequest('browser', {
      getter() {
        return { key: this.cookieOf(cookie), sendsCookies: this.headers['sec-fetch-site'] === 'same-origin' }
      },
    })
    app.decorateReply('rememberBrowser', function (key) {
      this.leaveCookie(cookie, key, agreements.lifetime)
    })
  },
  { name: 'federation', dependencies: ['clock', 'config', 'cookies', 'database', 'store', 'tokens'] },
)
