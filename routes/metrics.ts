import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { problem } from '../lib/problem.js'

/** Not in the OpenAPI document, which is the same for every configuration; without `metrics.token` it is unknown. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const { metrics } = app
  if (!metrics || app.installation.settings.metrics.token === null) return
  app.get(
    '/metrics',
    { config: { access: 'open', envelope: false }, schema: { hide: true } },
    async (request, reply) => {
      const { authorization } = request.headers
      if (!metrics.isAllowed(authorization))
        throw problem(authorization === undefined ? 'token_missing' : 'token_invalid')
      const text = await metrics.read()
      void reply.header('content-type', metrics.contentType)
      return text
    },
  )
}

export default route
