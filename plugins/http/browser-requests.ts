import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../../lib/problem.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refuses what a page of another site can make a browser send without asking first: a form. */
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

/** A JSON body needs a preflight (Fetch standard, "CORS-safelisted request-header"): other sites cannot send one. */
const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '')

/** What a request says about the page that sent it, and routes that refuse the forms of other sites. */
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
  // Not `errors`: loaded before `security-headers`, it would answer 404 and 405 without their headers.
  { name: 'browser-requests', dependencies: ['config'] },
)
