import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { toOneLine } from '../../lib/one-line.js'
import { publicUrlOf } from '../../lib/public-url.js'
import type { PageSession } from '../../schemas/session.js'
import type { StartedSession } from '../sessions/sessions/start.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The page cookie of a request without an `Authorization` header, as JSON from a page of the same origin. */
    readonly pageCookie: string | undefined
    /**
     * The live owner of the page cookie of a request for a document, such as a link that somebody follows; undefined where nobody is signed
     * in, or has to change the password first.
     * For routes that lead on to another address: they change nothing that another site could want.
     */
    documentOwner(): Promise<SessionOwner | undefined>
    /** Whether the session that the request starts is to be kept by a page cookie: a page of the same origin asks for it. */
    keepsPage(isWanted: boolean | undefined): boolean
    /** Whether the browser sends a page cookie, under whatever name; for documents, which cannot be asked for with more. It proves nothing. */
    readonly mayHavePageSession: boolean
    /** Whether the browser has the page cookie of this session, or why not. What an operator can do about it is logged once for each origin. */
    pageSessionState(sessionId: string): PageSession['state']
  }
  interface FastifyReply {
    /**
     * Sets the device cookie and, where there is one, the page cookie of a session that has just started. Where the browser had the page cookie
     * of another user, the session of that cookie ends.
     */
    setCookiesOf(session: StartedSession): Promise<void>
    /** Clears the page cookie that the request was read by: that of a page of the same origin. */
    clearPageCookie(): void
    /** Ends the session of `documentOwner`, and clears its cookie. */
    endDocumentSession(): Promise<void>
    /** Clears the page cookie of this session, which the token of the request has ended. */
    clearPageCookieOf(sessionId: string): void
  }
}

/** Origins that are told at most; `browser-requests.ts` tells of those that are not known. */
const maxTold = 20

/**
 * Reads and sets the cookie by which a page of the same origin gets the token of its session again. Only the routes that refresh and
 * sign out read it, a sign-in that sets another one in its place, and those of an application's sign-in (`documentOwner`).
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
    // A link says nothing of its origin, so that a proxy which claims https for a plain address is not seen through as it is for a page.
    const isPlain = publicUrlOf(app.installation.settings)?.startsWith('http:') === true
    const readOfDocument = (request: FastifyRequest) =>
      isPlain ? request.readEarlierCookie(name) : request.readCookie(name)
    app.decorateRequest('documentOwner', async function () {
      const isOwn = this.method === 'GET' || !this.isFormOfAnotherOrigin
      const cookie = isOwn ? readOfDocument(this) : undefined
      const owner = cookie && (await app.sessions.pages.find(cookie, this.clientContext.devices.idFor))
      return owner && !owner.user.forcePasswordChange ? owner : undefined
    })
    app.decorateReply('endDocumentSession', async function () {
      const cookie =
        this.request.isFormOfAnotherOrigin && this.request.method !== 'GET' ? undefined : readOfDocument(this.request)
      if (cookie === undefined) return
      await app.sessions.pages.logout(cookie)
      this.clearCookie(name)
    })
    const anyName = new RegExp(`(^|[; \\t])(__Host-)?${name}=`)
    app.decorateRequest('mayHavePageSession', {
      getter() {
        return anyName.test(this.headers.cookie ?? '')
      },
    })
    const told = new Set<string>()
    app.decorateRequest('pageSessionState', function (sessionId) {
      if (!this.isFromOwnPage) return 'address'
      const cookie = this.readCookie(name)
      if (cookie !== undefined && app.sessions.pages.isOf(cookie, sessionId)) return 'kept'
      const origin = this.headers.origin ?? ''
      const state = this.hasSecureCookies && origin.startsWith('http:') ? 'encryption' : 'cookie'
      const key = `${state} ${origin}`
      if (!told.has(key) && told.size < maxTold) {
        told.add(key)
        const from = toOneLine(origin.slice(0, 100))
        if (state === 'encryption')
          this.log.warn(
            `A page at ${from} cannot keep its session: the service takes it for an encrypted one (https), and the browser keeps no such cookie. Let the proxy send the X-Forwarded-Proto that is true, and set publicUrl to the address that people open.`,
          )
        else
          this.log.warn(
            `A page at ${from} cannot keep its session: no cookie comes back. Let the proxy pass Set-Cookie and Cookie on as they are, and set publicUrl to the address that people open; or the browser refuses cookies.`,
          )
      }
      return state
    })
    app.decorateRequest('keepsPage', function (isWanted) {
      return isWanted === true && this.isFromOwnPage
    })
    app.decorateReply('setCookiesOf', async function ({ result, page }) {
      this.setDeviceCookie(result.userInfo)
      // Only a page of the same origin gets a cookie, so no other website can end a session by a sign-in.
      if (!page) return
      const replaced = this.request.readCookie(name)
      if (replaced !== undefined) {
        await app.sessions.pages.replace(replaced, result.userInfo.userId).catch((error: unknown) => {
          // The sign-in is committed: a refusal would leave its session to nobody.
          this.log.error({ err: error }, 'the session that a sign-in has replaced could not be ended')
        })
      }
      this.writeCookie(name, page.value, page.maxAge)
    })
    app.decorateReply('clearPageCookie', function () {
      if (this.request.pageCookie !== undefined) this.writeCookie(name, '', 0)
    })
    app.decorateReply('clearPageCookieOf', function (sessionId) {
      const cookie = this.request.readCookie(name)
      if (cookie !== undefined && app.sessions.pages.isOf(cookie, sessionId)) this.writeCookie(name, '', 0)
    })
  },
  { name: 'http/page-cookie' },
)
