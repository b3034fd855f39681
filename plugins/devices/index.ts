import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import { bearerToken } from '../sessions/bearer.js'
import { createMarks, lifetime, type Marks } from './marks.js'

declare module 'fastify' {
  interface FastifyInstance {
    devices: ReturnType<typeof createMarks> & {
      /** Leaves the cookie of the device after a sign-in or a change of the password. */
      remember: (request: FastifyRequest, reply: FastifyReply, user: { userId: number; tenantId: number }) => void
    }
  }
  interface FastifyRequest {
    readonly marks: Marks
  }
}

/** What version 0.1.0 called the cookie; it is read until a sign-in leaves one of the new name. */
const nameBefore = 'rollcall_device'

/** Cookies know no ports: two installations on one host would otherwise overwrite each other's. */
const nameFor = (secret: string) =>
  `${nameBefore}_${createHmac('sha256', secret).update('name of the device cookie').digest('hex').slice(0, 8)}`

/**
 * Knows the devices on which people have signed in before, by a cookie or by the token of an earlier session. Clients
 * without cookies, or without either, are served as ever.
 */
export default fp(
  async (app) => {
    const { accounts, clock, db, tokens } = app
    const cookieName = nameFor(app.installation.secret)
    const marks = createMarks({
      users: db.users,
      tokens,
      clock,
      bearerToken,
      readPhone: accounts.readPhone,
    })
    app.decorateRequest('marks', {
      getter() {
        return {
          authorization: this.headers.authorization,
          mark: this.cookieOf(cookieName) ?? this.cookieOf(nameBefore),
        }
      },
    })
    app.decorate('devices', {
      ...marks,
      remember: (request, reply, user) => {
        reply.leaveCookie(cookieName, marks.renew(request.marks.mark, user), lifetime / 1000)
      },
    })
  },
  { name: 'devices', dependencies: ['accounts', 'clock', 'config', 'cookies', 'database', 'tokens'] },
)
