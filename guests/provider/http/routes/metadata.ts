import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { problem } from '../../../../lib/problem.js'
import { publishTo } from '../../../../lib/publish-to.js'

/** The same as `/.well-known/openid-configuration`, where clients of OAuth look for it. */
const route: FastifyPluginAsync = async (app) => {
  const answer = (reply: FastifyReply) => {
    const metadata = app.resourceServers.metadata()
    if (!metadata) throw problem('not_found')
    return publishTo(reply, metadata)
  }
  const options = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const
  const path = '/.well-known/oauth-authorization-server'
  app.get(path, options, async (_request, reply) => answer(reply))

  // With the path of the issuer behind it, where the service sees the root of the host (RFC 8414 3.1).
  const ofIssuer = new URL(app.installation.settings.issuer).pathname.replace(/\/$/, '')
  if (ofIssuer !== '') app.get(path + ofIssuer, options, async (_request, reply) => answer(reply))
}

export default route
