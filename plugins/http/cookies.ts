import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    readCookie(name: string): string | undefined
  }
  interface FastifyReply {
    /** Leaves a cookie in the browser for `maxAge` seconds. */
    writeCookie(name: string, value: string, maxAge: number): void
  }
}

const attributes: CookieSerializeOptions = {
  httpOnly: true,
  // A page of another site cannot make the browser send it along.
  sameSite: 'lax',
  secure: 'auto',
  // Behind a proxy the address of the API may begin with anything.
  path: '/',
  signed: false,
}

/** Cookies that tell one browser from another. None of them signs anybody in: that is for the Authorization header alone. */
export default fp(
  async (app) => {
    // A host app may have registered it with options of its own. Few routes read cookies, so none are parsed ahead.
    if (!app.hasDecorator('parseCookie')) await app.register(cookie, { hook: false })
    app.decorateRequest('readCookie', function (name) {
      return app.parseCookie(this.headers.cookie ?? '')[name]
    })
    app.decorateReply('writeCookie', function (name, value, maxAge) {
      this.setCookie(name, value, { ...attributes, maxAge })
    })
  },
  { name: 'cookies' },
)
