import fp from 'fastify-plugin'
import { bearerToken } from '../sessions/bearer.js'
import { createMarks, lifetime, type Marks } from './marks.js'

declare module 'fastify' {
  interface FastifyInstance {
    devices: ReturnType<typeof createMarks> & {
      /** Gives the device of a successful sign-in its mark. */
      remember: (request: FastifyRequest, reply: FastifyReply, user: { userId: number; tenantId: number }) => void
    }
  }
  interface FastifyRequest {
    readonly marks: Marks
  }
}

const cookieName = 'rollcall_device'

/**
 * Knows the devices on which people have signed in before, by a cookie or by the token of an earlier session. Clients
 * without cookies, or without either, are served as ever.
 */
export default fp(
  async (app) => {
    const { accounts, clock, db, tokens } = app
    const marks = createMarks({
      users: db.users,
      tokens,
      clock,
      bearerToken,
      readPhone: accounts.readPhone,
    })
    app.decorateRequest('marks', {
      getter() {
        return { authorization: this.headers.authorization, mark: this.cookieOf(cookieName) }
      },
    })
    app.decorate('devices', {
      ...marks,
      remember: (request, reply, user) => {
        reply.leaveCookie(cookieName, marks.renew(request.marks.mark, user), lifetime / 1000)
      },
    })
  },
  { name: 'devices', dependencies: ['accounts', 'clock', 'cookies', 'database', 'tokens'] },
)
