import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionOwner } from '../../../../db/repositories/session-owner.js'
import { defaultTenantId } from '../../../../schemas/login.js'
import type { Client } from '../../repositories/clients.js'
import { describe, operations } from '../operations.js'
import { failedPage, logoutPage, sendPage } from '../pages.js'

type Parameters = Partial<Record<string, unknown>>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Sign-out that an application has asked for (OpenID Connect RP-Initiated Logout 1.0). */
const route: FastifyPluginAsync = async (app) => {
  const { db } = app
  const base = app.installation.settings.issuer.replace(/\/$/, '')

  /** Who asks, and where the person is sent afterwards; undefined where these do not belong together. */
  const read = async (given: Parameters) => {
    const token = textOf(given['id_token_hint'])
    const hint = token === undefined ? undefined : await app.openIdProvider.readHint(token)
    const named = textOf(given['client_id'])
    if (token !== undefined && !hint) return undefined
    if (hint && named !== undefined && hint.clientId !== named) return undefined
    const id = hint?.clientId ?? named
    const client: Client | undefined = id === undefined ? undefined : await db.providerClients.find(id)
    const target = textOf(given['post_logout_redirect_uri'])
    if (id !== undefined && !client) return undefined
    if (target !== undefined && client?.postLogoutRedirectUris.includes(target) !== true) return undefined
    const after = target === undefined ? undefined : new URL(target)
    const state = textOf(given['state'])
    if (state !== undefined) after?.searchParams.set('state', state)
    return { client, sid: hint?.sid, after: after?.href }
  }

  /** Where who names no address is sent: to the sign-in of the tenant of the person. */
  const signIn = (owner: SessionOwner | undefined): string => {
    const tenantId = owner?.tenant.id ?? defaultTenantId
    return `${base}/sign-in${tenantId === defaultTenantId ? '' : `?tenant=${tenantId}`}`
  }

  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    sendPage(reply, 400, failedPage(request))
    return reply
  }

  const config = { access: 'open', envelope: false } as const

  const { schema, otherStandard } = describe(operations.logout)
  const shown = { exposeHeadRoute: false, schema, config: { ...config, otherStandard } }
  app.get('/oidc/logout', shown, async (request, reply) => {
    const given = request.query as Parameters
    const asked = await read(given)
    if (!asked) return refuse(request, reply)
    const owner = await request.documentOwner()
    const { client, sid, after = signIn(owner) } = asked
    if (!owner) return reply.redirect(after, 303)
    const grant = client && (await db.providerGrants.ofSession(owner.session.id, client.id))
    // Who has an ID token of this very session has it from the person.
    if (sid !== undefined && grant?.sid === sid) {
      await reply.endDocumentSession()
      return reply.redirect(after, 303)
    }
    const page = logoutPage(request, {
      person: owner.user.username,
      application: client?.name,
      fields: Object.fromEntries(
        ['client_id', 'post_logout_redirect_uri', 'state', 'id_token_hint'].flatMap((name) => {
          const value = textOf(given[name])
          return value === undefined ? [] : [[name, value]]
        }),
      ),
      action: `${base}/oidc/logout/confirm`,
      stayHref: after,
    })
    sendPage(reply, 200, page)
    return reply
  })

  // An application may post its question: a browser sends the cookie of the session with links only.
  app.post('/oidc/logout', { config, schema: { hide: true } }, async (request, reply) => {
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries((request.body ?? {}) as Parameters)) {
      const text = textOf(value)
      if (text !== undefined) fields.set(name, text)
    }
    return reply.redirect(`${base}/oidc/logout?${fields.toString()}`, 303)
  })

  app.post('/oidc/logout/confirm', { config, schema: { hide: true } }, async (request, reply) => {
    if (request.isFormOfAnotherOrigin) return refuse(request, reply)
    const asked = await read(request.body ?? {})
    if (!asked) return refuse(request, reply)
    const { after = signIn(await request.documentOwner()) } = asked
    await reply.endDocumentSession()
    return reply.redirect(after, 303)
  })
}

export default route
