import { parseCookie, stringifySetCookie } from 'cookie'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    cookieOf(name: string): string | undefined
  }
  interface FastifyReply {
    /** Leaves a cookie in the browser for `maxAge` seconds. */
    leaveCookie(name: string, value: string, maxAge: number): void
  }
}

/** Cookies that tell one browser from another. None of them signs anybody in: that is for the Authorization header alone. */
export default fp(
  async (app) => {
    app.decorateRequest('cookieOf', function (name) {
      return parseCookie(this.headers.cookie ?? '')[name]
    })
    app.decorateReply('leaveCookie', function (name, value, maxAge) {
      const cookie = stringifySetCookie({
        name,
        value,
        httpOnly: true,
        // A page of another site cannot make the browser send it along.
        sameSite: 'lax',
        secure: this.request.protocol === 'https',
        // Behind a proxy the address of the API may begin with anything.
        path: '/',
        maxAge,
      })
      void this.header('set-cookie', cookie)
    })
  },
  { name: 'cookies' },
)
