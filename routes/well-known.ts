import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { problem } from '../lib/problem.js'

const open = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const

/** Not in the OpenAPI document: where programs that keep passwords and passkeys send people. Only where the account page is. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  if (!app.pages.served.includes('account')) return

  // Relative, because a proxy may have taken a prefix away (W3C, A Well-Known URL for Changing Passwords).
  app.get('/.well-known/change-password', open, (_request, reply) => {
    void reply.redirect('../account/password', 303)
  })

  // W3C, A Well-Known URL for Relying Party Passkey Endpoints. It is asked for at the domain of the passkeys.
  app.get('/.well-known/passkey-endpoints', open, async (_request, reply) => {
    const address = app.secondFactor.passkeys.address()
    if (address === null) throw problem('not_found')
    void reply.header('cache-control', 'public, max-age=300')
    const page = `${address}/account/security`
    return { enroll: page, manage: page }
  })
}

export default route
