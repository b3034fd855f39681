import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { actorOfCaller } from '../../../../lib/actor.js'
import { cookieValues } from '../../../../lib/cookie-values.js'
import { problem } from '../../../../lib/problem.js'
import { defaultTenantId } from '../../../../schemas/login.js'
import { ref } from '../../../../schemas/ref.js'
import { otherParameter } from '../../forward/way-in.js'
import { refusalOf, tenantsOf } from '../../person.js'
import { splitScopes } from '../../resources.js'
import { ConsentRequest, Continuation, InteractionDetails, InteractionParameters as params } from '../../schemas.js'
import { deniedPage, overPage, sendPage } from '../pages.js'

const hostOf = (uri: string | undefined): string => (uri !== undefined && URL.canParse(uri) ? new URL(uri).host : '')

/** Where a request of an application waits for a person: to sign in, or to let the application know them. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const { interactions, cookieName } = app.openIdProvider
  const { provider, issuer } = app.installation.settings
  const base = issuer.replace(/\/$/, '')
  const signInPage = provider.signInPage === null ? `${base}/sign-in` : new URL(provider.signInPage, base).href

  /** The interaction of the browser that began it: somebody else's link leads nowhere. */
  const find = async (request: FastifyRequest, uid: string) => {
    const own = cookieValues(request.headers.cookie, cookieName('interaction'))
    return own.length === 1 && own[0] === uid ? interactions.find(uid) : undefined
  }

  app.get(
    '/oidc/interactions/:uid',
    { exposeHeadRoute: false, config: { access: 'open', envelope: false }, schema: { hide: true, params } },
    async (request, reply) => {
      const { uid } = request.params
      const interaction = await find(request, uid)
      if (!interaction) {
        sendPage(reply, 404, overPage(request))
        return reply
      }
      const owner = await request.documentOwner()
      const query = new URLSearchParams({ interaction: uid })
      const [language] = interaction.params['ui_locales']?.split(' ') ?? []
      if (language !== undefined) query.set('lang', language)
      // Without it the page is that of the default tenant, where people of another one are refused.
      const [tenant, ...others] = tenantsOf(interaction.client)
      if (others.length === 0 && tenant !== defaultTenantId) query.set('tenant', String(tenant))
      // Who wants to be somebody else here is not asked to prove who they are.
      if (interaction.params[otherParameter] !== undefined) query.set('other', '')
      const signIn = `${signInPage}?${query.toString()}`
      const missing = owner ? interactions.missing(interaction, owner) : ['no_session' as const]
      // A new sign-in that was asked for may be that of somebody who may.
      if (owner && missing.includes('access') && !missing.includes('login_prompt')) {
        await interactions.refuse(interaction, 'access_denied', 'the person may not use this application')
        const page = deniedPage(request, {
          application: interaction.client.name,
          person: owner.user.username,
          reason: refusalOf(interaction.client, owner, interaction.resources) ?? 'role',
          otherHref: query.has('other') ? signIn : `${signIn}&other`,
          backHref: interaction.returnTo,
        })
        sendPage(reply, 403, page)
        return reply
      }
      if (!owner || missing.length > 0) return reply.redirect(signIn, 303)
      await interactions.finish(interaction, owner)
      return reply.redirect(interaction.returnTo, 303)
    },
  )

  app.get(
    '/oidc/interactions/:uid/details',
    {
      exposeHeadRoute: false,
      config: { access: 'open', errors: ['not_found'] },
      schema: { hide: true, params, response: { 200: ref(InteractionDetails) } },
    },
    async (request) => {
      const interaction = await find(request, request.params.uid)
      if (!interaction) throw problem('not_found')
      const { client, params: asked, reasons, prompt, resources, scopes } = interaction
      const { own, at } = splitScopes(scopes)
      return {
        ...{ prompt, scopes: own, reasons },
        resources: resources.map(({ id, name }) => ({ id, name, scopes: at.get(id) ?? [] })),
        client: { id: client.id, name: client.name, homeUrl: client.homeUrl },
        isDocument: client.isDocument === true,
        redirectHost: hostOf(asked['redirect_uri']),
        loginHint: asked['login_hint'] ?? null,
      }
    },
  )

  app.post(
    '/oidc/interactions/:uid/consent',
    {
      config: { access: 'open', errors: ['not_found', 'cross_site_form', 'token_missing'] },
      schema: { hide: true, params, body: ref(ConsentRequest), response: { 200: ref(Continuation) } },
    },
    async (request) => {
      if (!request.isFromOwnPage) throw problem('cross_site_form')
      const interaction = await find(request, request.params.uid)
      if (interaction?.prompt !== 'consent') throw problem('not_found')
      const owner = await request.documentOwner()
      if (!owner || refusalOf(interaction.client, owner, interaction.resources)) throw problem('token_missing')
      const { accept, remember = true } = request.body
      if (accept) {
        const { scopes, client } = interaction
        const actor = actorOfCaller(owner, request.clientContext)
        const grantId = await app.applications.grants.allow(actor, owner, client, { scopes, remember })
        await interactions.consent(interaction, grantId)
      } else await interactions.refuse(interaction, 'access_denied', 'the person has refused')
      return { redirectTo: interaction.returnTo }
    },
  )
}

export default route
