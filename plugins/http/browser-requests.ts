import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../../lib/problem.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refuses requests that a page of another site can make a browser send without a CORS preflight, such as forms. */
    refusesCrossSiteForms?: true
  }
  interface FastifyRequest {
    /**
     * Whether a browser sent the request. Browsers add Fetch Metadata, but only for https and localhost; they add
     * `Origin` to every POST. Apps and servers send neither.
     */
    readonly isFromBrowser: boolean
  }
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Other sites cannot send JSON: it needs a preflight (Fetch standard, "CORS-safelisted request-header"). */
const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '')

/** Detects requests of browsers and refuses forms of other sites on routes with `refusesCrossSiteForms`. */
export default fp(
  async (app) => {
    const { corsOrigins } = app.installation.settings
    const isCrossSite = ({ headers, host }: FastifyRequest): boolean => {
      const { origin, 'sec-fetch-site': site } = headers
      if (origin !== undefined && corsOrigins.includes(origin)) return false
      if (site !== undefined) return site === 'cross-site'
      return origin !== undefined && hostOf(origin) !== host
    }
    const refuse: onRequestHookHandler = (request, _reply, next) => {
      if (!isJson(request) && isCrossSite(request)) next(problem('cross_site_form'))
      else next()
    }
    app.addHook('onRoute', (route) => {
      if (route.config?.refusesCrossSiteForms) route.onRequest = [refuse, ...[route.onRequest ?? []].flat()]
    })
    app.decorateRequest('isFromBrowser', {
      getter() {
        return this.headers['sec-fetch-site'] !== undefined || this.headers.origin !== undefined
      },
    })
  },
  // Without `errors`: if it were loaded before `security-headers`, answers 404 and 405 would lack these headers.
  { name: 'browser-requests', dependencies: ['config'] },
)
