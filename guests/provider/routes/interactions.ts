import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { problem } from '../../../lib/problem.js'
import { nullable } from '../../../schemas/ref.js'
import { refusalOf } from '../person.js'
import { deniedPage, overPage, sendPage } from '../http/pages.js'

const Parameters = Type.Object({ uid: Type.String({ pattern: '^[\\w-]{10,100}$' }) })

const InteractionDetails = Type.Object({
  prompt: Type.Literal('login'),
  client: Type.Object({ id: Type.String(), name: Type.String() }),
  loginHint: nullable(Type.String()),
  reasons: Type.Array(Type.String()),
})

/** Where a request of an application waits for somebody to sign in. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const { interactions, cookieName } = app.openIdProvider
  const { provider, issuer } = app.installation.settings
  const base = issuer.replace(/\/$/, '')
  const signInPage = provider.signInPage === null ? `${base}/sign-in` : new URL(provider.signInPage, base).href

  /** The interaction of the browser that began it: somebody else's link leads nowhere. */
  const find = async (request: FastifyRequest, uid: string) => {
    const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const isOwn = cookies.filter((pair) => pair.startsWith(`${cookieName('interaction')}=`))
    return isOwn.length === 1 && isOwn[0] === `${cookieName('interaction')}=${uid}` ? interactions.find(uid) : undefined
  }

  app.get(
    '/oidc/interactions/:uid',
    {
      exposeHeadRoute: false,
      config: { access: 'open', envelope: false },
      schema: { hide: true, params: Parameters },
    },
    async (request, reply) => {
      const { uid } = request.params
      const interaction = await find(request, uid)
      if (!interaction) {
        sendPage(reply, 404, overPage(request))
        return reply
      }
      const found = await request.documentOwner()
      const query = new URLSearchParams({ interaction: uid })
      const [language] = interaction.params['ui_locales']?.split(' ') ?? []
      if (language !== undefined) query.set('lang', language)
      const signIn = `${signInPage}?${query.toString()}`
      const missing = found ? interactions.missing(interaction, found) : ['no_session' as const]
      if (found && missing.includes('access')) {
        await interactions.refuse(interaction, 'access_denied', 'the person may not use this application')
        sendPage(
          reply,
          403,
          deniedPage(request, {
            application: interaction.client.name,
            person: found.user.username,
            reason: refusalOf(interaction.client, found) ?? 'role',
            otherHref: `${signIn}&other`,
            backHref: interaction.returnTo,
          }),
        )
        return reply
      }
      if (!found || missing.length > 0) return reply.redirect(signIn, 303)
      await interactions.finish(interaction, found)
      return reply.redirect(interaction.returnTo, 303)
    },
  )

  app.get(
    '/oidc/interactions/:uid/details',
    {
      exposeHeadRoute: false,
      config: { access: 'open', errors: ['not_found'] },
      schema: { hide: true, params: Parameters, response: { 200: InteractionDetails } },
    },
    async (request) => {
      const interaction = await find(request, request.params.uid)
      if (!interaction) throw problem('not_found')
      const { client, params, reasons } = interaction
      return {
        prompt: 'login' as const,
        client: { id: client.id, name: client.name },
        loginHint: params['login_hint'] ?? null,
        reasons,
      }
    },
  )
}

export default route
