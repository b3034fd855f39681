import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    readCookie(name: string): string | undefined
  }
  interface FastifyReply {
    /** Sets a cookie for `maxAge` seconds. The value has no character that a cookie would have to encode, as base64url. */
    writeCookie(name: string, value: string, maxAge: number): void
  }
}

/**
 * Reads and sets cookies. They identify browsers; what authenticates is the Authorization header. The page cookie alone authenticates, at
 * these routes only: `POST /auth/refreshToken` and `POST /auth/logout`, as JSON from the same origin (page-cookie.ts). No other route
 * reads it, so no other route has to defend itself against requests that another site makes a browser send.
 */
export default fp(
  async (app) => {
    app.decorateRequest('readCookie', function (name) {
      const begin = `${name}=`
      const pairs = this.headers.cookie?.split(';').map((pair) => pair.trim())
      return pairs?.find((pair) => pair.startsWith(begin))?.slice(begin.length)
    })
    app.decorateReply('writeCookie', function (name, value, maxAge) {
      const secure = this.request.protocol === 'https' ? '; Secure' : ''
      // A proxy may serve the API under any path. Browsers do not send the cookie with requests of other sites.
      const attributes = `Max-Age=${Math.floor(maxAge)}; Path=/; HttpOnly${secure}; SameSite=Lax`
      this.header('set-cookie', `${name}=${value}; ${attributes}`)
    })
  },
  { name: 'http/cookies' },
)
