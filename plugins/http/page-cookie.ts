import fp from 'fastify-plugin'
import type { LoginResult } from '../../schemas/login.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The page cookie of a request without an `Authorization` header, as JSON from a page of the same origin. */
    readonly pageCookie: string | undefined
  }
  interface FastifyReply {
    /** Sets the page cookie for a session that has just started, if a page of the same origin asks for it. */
    setPageCookie(isWanted: boolean | undefined, result: LoginResult): Promise<void>
    /** Clears the page cookie that the request was read by: that of a page of the same origin. */
    clearPageCookie(): void
    /** Clears the page cookie of this session, which the token of the request has ended. */
    clearPageCookieOf(sessionId: string): void
  }
}

/**
 * Reads and sets the cookie by which a page of the same origin gets the token of its session again. Only the routes that refresh and
 * sign out read it.
 */
export default fp(
  async (app) => {
    // Cookies do not depend on the port, so two installations on one host need different names.
    const name = `rollcall_page_${app.encryption.installation}`
    app.decorateRequest('pageCookie', {
      getter() {
        const isRead = this.headers.authorization === undefined && this.isFromOwnPage
        return isRead ? this.readCookie(name) : undefined
      },
    })
    app.decorateReply('setPageCookie', async function (isWanted, { accessToken }) {
      if (!isWanted || !this.request.isFromOwnPage) return
      const { value, maxAge } = await app.sessions.pages.begin(accessToken)
      this.writeCookie(name, value, maxAge)
    })
    app.decorateReply('clearPageCookie', function () {
      if (this.request.pageCookie !== undefined) this.writeCookie(name, '', 0)
    })
    app.decorateReply('clearPageCookieOf', function (sessionId) {
      const cookie = this.request.readCookie(name)
      if (cookie !== undefined && app.sessions.pages.isOf(cookie, sessionId)) this.writeCookie(name, '', 0)
    })
  },
  {
    name: 'http/page-cookie',
    dependencies: ['http/browser-requests', 'http/cookies', 'sessions/encryption', 'sessions/sessions'],
  },
)
