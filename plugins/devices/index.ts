import { parse, serialize } from 'cookie'
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
        const { authorization, cookie = '' } = this.headers
        return { authorization, mark: parse(cookie)[cookieName] }
      },
    })
    app.decorate('devices', {
      ...marks,
      remember: (request, reply, user) => {
        const cookie = serialize(cookieName, marks.renew(request.marks.mark, user), {
          httpOnly: true,
          // A page of another site cannot make the browser send it along.
          sameSite: 'lax',
          secure: request.protocol === 'https',
          // Behind a proxy the address of the API may begin with anything.
          path: '/',
          maxAge: lifetime / 1000,
        })
        void reply.header('set-cookie', cookie)
      },
    })
  },
  { name: 'devices', dependencies: ['accounts', 'clock', 'database', 'tokens'] },
)
