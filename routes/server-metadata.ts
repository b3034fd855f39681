import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { problem } from '../lib/problem.js'
import { ref } from '../schemas/ref.js'
import { ServerMetadata } from '../schemas/resource-servers.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/.well-known/openid-configuration',
    {
      config: { access: 'open', envelope: false, errors: ['not_found'], answerHeaders: ['Cache-Control'] },
      schema: {
        operationId: 'getServerMetadata',
        tags: ['service'],
        summary: 'Where other services find the keys and the introspection (RFC 8414)',
        description:
          'Only while the setting `issuer` is a URL, else 404. Rollcall is no OpenID provider: there is nothing about authorization, token endpoints and ID tokens.',
        response: { 200: ref(ServerMetadata) },
      },
    },
    async (_request, reply) => {
      const { metadata } = app.resourceServers
      if (!metadata) throw problem('not_found')
      void reply.header('cache-control', 'public, max-age=300')
      return metadata
    },
  )
}

export default route
