import fp from 'fastify-plugin'
import type { Installation } from './installation.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The checked configuration and what came with it. */
    installation: Installation
  }
}

export default fp<{ installation: Installation }>(
  async (app, { installation }) => {
    app.decorate('installation', installation)
    if (installation.devEcho)
      app.log.warn('ROLLCALL_DEV_ECHO: captcha answers and one-time codes are shown to everybody')
  },
  { name: 'config' },
)
