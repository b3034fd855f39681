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
  },
  { name: 'config' },
)
