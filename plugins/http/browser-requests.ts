import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { toOneLine } from '../../lib/one-line.js'
import { problem } from '../../lib/problem.js'
import { publicUrlOf } from '../../lib/public-url.js'

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
    /**
     * Whether a page of the same origin sent the request, as JSON. Origins in `CORS_ORIGINS` are others: they get the answers of the API, but no
     * cookie that authenticates.
     */
    readonly isFromOwnPage: boolean
    /**
     * Whether a page of another origin, which is not listed, may have made a browser send the request without asking: a form, a link or a
     * picture. Also of the same site: pages of a sibling domain are not ours.
     */
    readonly isFormOfAnotherOrigin: boolean
  }
}

/** The origins that are told at most: strangers can send any number of them. */
const maxTold = 20

/** Characters of an origin that are logged. */
const maxLength = 100

/** Undefined for an origin that has no host of the network, such as that of an app. */
const hostOf = (origin: string): string | undefined =>
  /^https?:\/\//.test(origin) && URL.canParse(origin) ? new URL(origin).host : undefined

/**
 * Whether a page of another origin may be the service itself, behind a proxy that sends another `Host`: by plain http browsers do not say that it
 * is another one, as they do by https. The list of front ends would change nothing then.
 */
const isMaybeOwn = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === undefined && /^https?:/.test(headers.origin ?? '')

/** Other sites cannot send JSON: it needs a preflight (Fetch standard, "CORS-safelisted request-header"). */
const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '')

/**
 * Detects requests of browsers, refuses forms of other sites on routes with `refusesCrossSiteForms`, and logs once for each
 * origin what would have to be set.
 */
export default fp(
  async (app) => {
    const { settings } = app.installation
    const publicUrl = publicUrlOf(settings)
    // Behind a proxy that changes `Host`, only `publicUrl` tells which origin is that of the service. It needs no CORS.
    const ownOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
    const accepted = [...settings.corsOrigins, ...(ownOrigin === undefined ? [] : [ownOrigin])]
    /** Whether the browser asks for a page of another origin that could be listed, and withholds the answer from it. */
    const isWithheld = (
      { headers: { origin = '', 'sec-fetch-site': site }, host }: FastifyRequest,
      reply: FastifyReply,
    ) =>
      origin.includes('://') &&
      origin !== ownOrigin &&
      site !== 'same-origin' &&
      hostOf(origin) !== host &&
      !reply.hasHeader('access-control-allow-origin')
    /** Whether a page sent the request whose origin is neither ours nor listed; without Fetch Metadata each other host is one. */
    const isFromPage =
      (isForeign: (site: string) => boolean) =>
      ({ headers, host }: FastifyRequest): boolean => {
        const { origin, 'sec-fetch-site': site } = headers
        if (origin !== undefined && accepted.includes(origin)) return false
        if (typeof site === 'string') return isForeign(site)
        return origin !== undefined && hostOf(origin) !== host
      }
    const isCrossSite = isFromPage((site) => site === 'cross-site')
    const isCrossOrigin = isFromPage((site) => site !== 'same-origin' && site !== 'none')
    const refuse: onRequestHookHandler = (request, _reply, next) => {
      if (!isJson(request) && isCrossSite(request)) next(problem('cross_site_form'))
      else next()
    }
    app.addHook('onRoute', (route) => {
      if (route.config?.refusesCrossSiteForms) route.onRequest = [...[route.onRequest ?? []].flat(), refuse]
    })
    const told = new Set<string>()
    app.addHook('onSend', (request, reply, _payload, next) => {
      const origin = request.headers.origin?.slice(0, maxLength)
      if (origin !== undefined && !told.has(origin) && told.size < maxTold && isWithheld(request, reply)) {
        told.add(origin)
        const [from, host] = [toOneLine(origin), toOneLine(request.host.slice(0, maxLength))]
        if (isMaybeOwn(request))
          request.log.warn(
            `Pages of ${from} are taken for those of another origin, because the service is asked as ${host}. If people open the service at this address, set publicUrl to it; if it is a front end of yours, add it to CORS_ORIGINS.`,
          )
        else
          request.log.warn(
            `Pages of ${from} may not use this service from a browser. If it is a front end of yours, add it to CORS_ORIGINS.`,
          )
      }
      next()
    })
    app.decorateRequest('isFromOwnPage', {
      getter() {
        const { origin, 'sec-fetch-site': site } = this.headers
        if (!isJson(this)) return false
        if (site !== undefined) return site === 'same-origin'
        return origin !== undefined && (origin === ownOrigin || hostOf(origin) === this.host)
      },
    })
    app.decorateRequest('isFormOfAnotherOrigin', {
      getter() {
        // Both need a preflight, which only listed origins pass.
        const isAsked = isJson(this) || this.headers.authorization !== undefined
        return !isAsked && isCrossOrigin(this)
      },
    })
    app.decorateRequest('isFromBrowser', {
      getter() {
        return this.headers['sec-fetch-site'] !== undefined || this.headers.origin !== undefined
      },
    })
  },
  { name: 'http/browser-requests' },
)
