import fp from 'fastify-plugin'
import { createTokens, type Tokens } from './tokens.js'

declare module 'fastify' {
  interface FastifyInstance {
    apiTokens: Tokens
  }
}

/** API tokens of users and service accounts. */
export default fp(
  async (app) => {
    const { audit, clock, db, timeZone } = app
    const settings = app.installation.settings.tokens
    app.decorate('apiTokens', createTokens({ audit, clock, db, timeZone, settings, readList: app.lists.read }))
  },
  { name: 'tokens/service' },
)
