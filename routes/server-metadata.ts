import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { problem } from '../lib/problem.js'
import { publishTo } from '../lib/publish-to.js'
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
          'Only while the setting `issuer` is a URL, else 404. With `provider.enabled` it has what OpenID Connect Discovery 1.0 asks for, too.',
        response: { 200: ref(ServerMetadata) },
      },
    },
    async (_request, reply) => {
      const metadata = app.resourceServers.metadata()
      if (!metadata) throw problem('not_found')
      return publishTo(reply, metadata)
    },
  )
}

export default route
