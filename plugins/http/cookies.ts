import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    readCookie(name: string): string | undefined
  }
  interface FastifyReply {
    /** Sets a cookie for `maxAge` seconds. */
    writeCookie(name: string, value: string, maxAge: number): void
  }
}

const attributes: CookieSerializeOptions = {
  httpOnly: true,
  // Browsers do not send the cookie with requests of other sites.
  sameSite: 'lax',
  secure: 'auto',
  // A proxy may serve the API under any path.
  path: '/',
  signed: false,
}

/**
 * Reads and sets cookies. They identify browsers; what authenticates is the Authorization header. The page cookie alone authenticates, at
 * these routes only: `POST /auth/refreshToken` and `POST /auth/logout`, as JSON from the same origin (page-cookie.ts). No other route
 * reads it, so no other route has to defend itself against requests that another site makes a browser send.
 */
export default fp(
  async (app) => {
    // A host app may have registered it already. Without a hook: cookies are parsed only on the few routes that read them.
    if (!app.hasDecorator('parseCookie')) await app.register(cookie, { hook: false })
    app.decorateRequest('readCookie', function (name) {
      return app.parseCookie(this.headers.cookie ?? '')[name]
    })
    app.decorateReply('writeCookie', function (name, value, maxAge) {
      this.setCookie(name, value, { ...attributes, maxAge })
    })
  },
  { name: 'http/cookies' },
)
