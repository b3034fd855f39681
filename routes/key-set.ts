import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { publishTo } from '../lib/publish-to.js'
import { JsonWebKeySet } from '../schemas/health.js'
import { ref } from '../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'open', envelope: false, answerHeaders: ['Cache-Control'] },
      schema: {
        operationId: 'getKeySet',
        tags: ['service'],
        summary: 'Public keys, for other services to verify access tokens (RFC 7517)',
        description:
          'A key is here before it signs, and as long as tokens that it has signed are valid. Sent without the envelope. Caches may keep the answer as long as `Cache-Control` says.',
        response: { 200: ref(JsonWebKeySet) },
      },
    },
    async (_request, reply) => publishTo(reply, app.tokens.publicKeySet()),
  )
}

export default route
