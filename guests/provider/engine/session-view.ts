import { randomId } from '../../../lib/random-id.js'
import type { Provider, KoaContextWithOIDC } from 'oidc-provider'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { Clock } from '../../../lib/clock.js'
import type { OwnerOf } from './request-owner.js'

const second = 1000

/** What the library reads of a session. */
const payloadOf = ({ session, user }: SessionOwner) => ({
  kind: 'Session',
  jti: session.id,
  uid: session.id,
  accountId: String(user.id),
  acr: session.acr,
  amr: session.amr,
  loginTs: Math.floor(session.authTime / second),
  authorizations: {},
  exp: Math.floor(session.expiry / second),
})

/**
 * Makes the session of the library a view of the session that the page cookie names: it is read with each request, and never written. A session
 * that is over is no session with the next request, and nothing is kept in step.
 */
export const useSessionView = (provider: Provider, ownerOf: OwnerOf, clock: Clock): void => {
  const { Session } = provider
  // Its types leave the argument out.
  const View = Session as unknown as new (payload: object) => InstanceType<typeof Session>
  Object.assign(Session, {
    async get(ctx: KoaContextWithOIDC) {
      const owner = ownerOf(ctx.req)
      // Named already, so that the library makes no name of its own, which it would put into a cookie.
      const session = new View(owner ? payloadOf(owner) : { jti: randomId(), uid: randomId() })
      ctx.oidc.entity('Session', session)
      return session
    },
  })
  Object.assign(Session.prototype, {
    save: async () => undefined,
    persist: async () => undefined,
    destroy: async () => undefined,
    resetIdentifier: () => undefined,
    past(this: { loginTs?: number }, age: number) {
      return this.loginTs === undefined || clock.now() / second - this.loginTs > age
    },
  })
}
