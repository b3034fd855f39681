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
    app.decorate('apiTokens', createTokens(app))
  },
  { name: 'tokens/service' },
)
