import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { cookieValues } from '../../lib/cookie-values.js'
import { publicUrlOf } from '../../lib/public-url.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The value of a cookie, by its name without prefix; undefined where the name comes twice. */
    readCookie(name: string): string | undefined
    /** The same, or where there is none the cookie that has no prefix although the request comes by https. */
    readEarlierCookie(name: string): string | undefined
    /** Whether cookies are those of an encrypted page, which browsers keep by https only. */
    readonly hasSecureCookies: boolean
  }
  interface FastifyReply {
    /**
     * Sets a cookie for `maxAge` seconds, and clears one of the same name without prefix that a request by https has sent. The value has no
     * character that a cookie would have to encode, as base64url. Does nothing for a form of another origin.
     */
    writeCookie(name: string, value: string, maxAge: number): void
    /** Clears a cookie whose session has just ended, whoever has asked for that. */
    clearCookie(name: string): void
  }
}

const valuesOf = ({ headers }: FastifyRequest, name: string): string[] => cookieValues(headers.cookie, name)

/**
 * Reads and sets cookies. They identify browsers; what authenticates is the Authorization header. The page cookie alone authenticates, at
 * these routes only: `POST /auth/refreshToken` and `POST /auth/logout`, as JSON from the same origin (page-cookie.ts). A sign-in on a page of the
 * same origin ends the session of the cookie that it replaces. Where applications sign people in, `GET /oidc/authorize`, the addresses below it
 * and `GET /oidc/interactions/{uid}` read it, too: they lead to a registered address of the application and change nothing else. So does
 * `/auth/forward` where a proxy asks about the host of the service itself: it says who comes, and changes nothing. No other route reads the cookie, so no other route has to defend itself against requests that another site makes a browser send.
 */
export default fp(
  async (app) => {
    const publicUrl = publicUrlOf(app.installation.settings)
    const isPublicByHttps = publicUrl?.startsWith('https:') === true
    const plainOrigin = publicUrl === undefined || isPublicByHttps ? undefined : new URL(publicUrl).origin
    /**
     * What a trusted proxy says, or the address that the operator has named. A page of a plain address that the operator has named is not
     * encrypted, whatever the proxy says: its browser keeps no other cookie. Pages by https send another `Origin`.
     */
    const isHttps = ({ protocol, headers }: FastifyRequest): boolean =>
      isPublicByHttps || (protocol === 'https' && (plainOrigin === undefined || headers.origin !== plainOrigin))
    // A browser takes a cookie with this prefix from this host alone: a page of a sibling domain can set any other (RFC 6265bis 4.1.3.2).
    const nameFor = (request: FastifyRequest, name: string) => (isHttps(request) ? `__Host-${name}` : name)
    const only = (values: string[]): string | undefined => (values.length === 1 ? values[0] : undefined)

    app.decorateRequest('hasSecureCookies', {
      getter() {
        return isHttps(this)
      },
    })
    app.decorateRequest('readCookie', function (name) {
      return only(valuesOf(this, nameFor(this, name)))
    })
    app.decorateRequest('readEarlierCookie', function (name) {
      const values = valuesOf(this, nameFor(this, name))
      return only(values.length === 0 ? valuesOf(this, name) : values)
    })
    const write = (reply: FastifyReply, name: string, value: string, maxAge: number): void => {
      const { request } = reply
      const secure = isHttps(request) ? '; Secure' : ''
      const set = (chosen: string, content: string, seconds: number) => {
        // A proxy may serve the API under any path. Browsers do not send the cookie with requests of other sites.
        const attributes = `Max-Age=${Math.floor(seconds)}; Path=/; HttpOnly${secure}; SameSite=Lax`
        reply.header('set-cookie', `${chosen}=${content}; ${attributes}`)
      }
      const named = nameFor(request, name)
      set(named, value, maxAge)
      if (named !== name && valuesOf(request, name).length > 0) set(name, '', 0)
    }
    app.decorateReply('writeCookie', function (name, value, maxAge) {
      if (!this.request.isFormOfAnotherOrigin) write(this, name, value, maxAge)
    })
    app.decorateReply('clearCookie', function (name) {
      write(this, name, '', 0)
    })
  },
  { name: 'http/cookies' },
)
