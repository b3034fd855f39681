import type { FastifyPluginAsync } from 'fastify'
import { problem } from '../../../../lib/problem.js'
import { publishTo } from '../../../../lib/publish-to.js'

/** The same as `/.well-known/openid-configuration`, where clients of OAuth look for it (RFC 8414 3). */
const route: FastifyPluginAsync = async (app) => {
  app.get(
    '/.well-known/oauth-authorization-server',
    { config: { access: 'open', envelope: false }, schema: { hide: true } },
    async (_request, reply) => {
      const metadata = app.resourceServers.metadata()
      if (!metadata) throw problem('not_found')
      return publishTo(reply, metadata)
    },
  )
}

export default route
