import cookie from '@fastify/cookie'
import fp from 'fastify-plugin'

/** Reads cookies and sets them. None of them signs anybody in: tokens come in the Authorization header alone. */
export default fp(
  async (app) => {
    await app.register(cookie)
  },
  { name: 'cookies' },
)
