import type { IncomingMessage, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { Provider, type KoaContextWithOIDC } from 'oidc-provider'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Outbound } from '../../../lib/outbound.js'
import { createClaims } from '../claims.js'
import { isSecretOf } from '../clients/secrets.js'
import type { Client } from '../repositories/clients.js'
import type { Logout } from '../repositories/logouts.js'
import { createAccounts } from './accounts.js'
import { createEntryAdapter } from './adapter.js'
import { createConfiguration } from './configuration.js'
import { createDocuments } from './documents.js'
import { metadataOf } from './discovery.js'
import { createInteractions } from './interactions.js'
import { createLoadGrant } from './load-grant.js'
import { recordOf } from './record.js'
import { ownerOfRequest, setOwner } from './request-owner.js'
import { listen, type Listeners } from './events.js'
import { divertConsole } from './notices.js'
import { createPlaces } from '../forward/places.js'
import { createResources } from '../resources.js'
import { createResourceServers } from './resources.js'
import { useSessionView } from './session-view.js'

interface Options extends Listeners {
  /** Answers with a page instead of a redirect. */
  renderError: (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string }) => void
  /** Counts a wrong secret; resolves to the seconds that its address has to wait where there were too many. */
  countWrongSecret: (request: IncomingMessage) => Promise<number | undefined>
  outbound: Outbound
}

const second = 1000

/** Its types leave it out. */
type TellLogout = (sub: string, sid: string) => Promise<void>
const readAudience = jsonReader(Type.Object({ aud: Type.String(), sid: Type.Optional(Type.String()) }))

/** The OpenID provider: the library, set up for the accounts, sessions and keys of this installation. */
export const createEngine = async (
  app: FastifyInstance,
  { renderError, countWrongSecret, outbound, ...listeners }: Options,
) => {
  const { clock, db, encryption, tokens } = app
  const { issuer, provider: settings } = app.installation.settings
  const base = issuer.replace(/\/$/, '')
  const isEncrypted = issuer.startsWith('https:')
  const places = createPlaces(issuer)
  await tokens.signers.need('RS256')

  const storage = { db, clock, encryption, refreshGrace: settings.refreshGrace * second, places }
  const findClaims = createClaims({ contacts: db.verifiedContacts })
  const resources = createResources(settings.resources)
  const documents = createDocuments({ listed: settings.clientDocuments, outbound, clock })
  const accounts = createAccounts({ db, clock, ownerOf: ownerOfRequest, resources, findClaims })
  const loadGrant = createLoadGrant({
    ...{ db, clock, ownerOf: ownerOfRequest, resources },
    maxLife: settings.offlineMaxTtl * second,
  })
  // Below the path of a sign-in under way, so `__Host-` is impossible. Whoever can set a cookie from a sibling domain sets one that names nothing.
  const cookieName = (name: string) => `${isEncrypted ? '__Secure-' : ''}rollcall_${name}_${encryption.installation}`
  const interactionUrl = (uid: string) => `${base}/oidc/interactions/${uid}`

  /** The keys that sign, then those that only verify. */
  const keysInOrder = () => {
    const keys = tokens.signers.every()
    const now = clock.now()
    const signing = (['RS256', 'ES256'] as const).flatMap(
      (algorithm) => keys.find((key) => key.algorithm === algorithm && key.activeTime <= now) ?? [],
    )
    return [...signing, ...keys.filter((key) => !signing.includes(key))]
  }

  const send = (url: string | URL, { method = 'GET', headers, body }: RequestInit) =>
    method === 'GET'
      ? documents.read(String(url))
      : outbound.fetch(url, {
          method,
          headers: Object.fromEntries(new Headers(headers)),
          body: body instanceof URLSearchParams ? body.toString() : undefined,
        })

  const build = () => {
    const keys = keysInOrder().map(({ kid, algorithm, privateJwk }) => ({
      ...privateJwk,
      kid,
      alg: algorithm,
      use: 'sig',
    }))
    const configuration = createConfiguration({
      ...{ settings, storage, accounts, loadGrant, resources, documents, ownerOf: ownerOfRequest },
      resourceServers: createResourceServers({ resources, db, clock }),
      ...{ cookieName, isEncrypted, interactionUrl, renderError, keys, fetch: send },
    })
    const restore = divertConsole(app.log)
    const provider = new Provider(issuer, configuration)
    restore()
    // The addresses of requests are those of the issuer, whatever a proxy says: see `handle`.
    provider.proxy = true
    useSessionView(provider, ownerOfRequest, clock)
    Object.assign(provider.Client.prototype, {
      includeSid: () => true,
      compareClientSecret(this: InstanceType<typeof provider.Client>, secret: string) {
        const client = recordOf(this)
        return client !== undefined && isSecretOf(client, secret, clock.now())
      },
    })
    // Its session is ours, and the browser has the cookie of that.
    provider.use(async (ctx, next) => {
      await next()
      const cookies = [ctx.response.headers['set-cookie'] ?? []].flat().map(String)
      const kept = cookies.filter((cookie) => !cookie.startsWith(`${cookieName('session')}=`))
      if (kept.length > 0) ctx.response.set('set-cookie', kept)
      else ctx.response.remove('set-cookie')
    })
    // The form of `response_mode=form_post` is sent to the application and nowhere else.
    provider.use(async (ctx, next) => {
      await next()
      const policy = ctx.response.get('content-security-policy')
      const target = (ctx as { oidc?: KoaContextWithOIDC['oidc'] }).oidc?.params?.['redirect_uri']
      if (policy.includes("'sha256-") && typeof target === 'string')
        ctx.response.set('content-security-policy', `${policy};form-action ${new URL(target).origin}`)
    })
    // A secret that is right passes all the same.
    provider.use(async (ctx, next) => {
      await next()
      const { error } = (ctx.body ?? {}) as { error?: unknown }
      const wait = ctx.status === 401 && error === 'invalid_client' ? await countWrongSecret(ctx.req) : undefined
      if (wait === undefined) return
      ctx.status = 429
      ctx.set('retry-after', String(wait))
      ctx.body = { error: 'invalid_client', error_description: 'too many wrong secrets: try again later' }
    })
    listen(provider, listeners)
    return { provider, answer: provider.callback(), metadata: metadataOf(provider, base) }
  }

  // Another one when a key begins to sign or goes; what the one before has begun it ends.
  let built = build()
  let builtOf = keysInOrder()
  const current = () => {
    const keys = keysInOrder()
    if (keys.length !== builtOf.length || keys.some((key, index) => key.kid !== builtOf[index]?.kid)) {
      built = build()
      builtOf = keys
    }
    return built
  }

  const findClient = async (id: string): Promise<Client | undefined> =>
    (await db.providerClients.find(id)) ??
    (documents.isListed(id)
      ? recordOf(
          await current()
            .provider.Client.find(id)
            .catch(() => undefined),
        )
      : undefined)

  const { host, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')

  const codes = createEntryAdapter('AuthorizationCode', storage)

  return {
    cookieName,

    /** Uses a code of an application that asks for no tokens; undefined for one that is unknown, used or over. */
    takeCode: (code: string) => codes.take(code),
    metadata: () => current().metadata,
    interactions: createInteractions({
      entries: createEntryAdapter('Interaction', storage),
      ...{ findClient, resources, clock },
    }),

    /** Tells an application that a session is over. Rejects where it is not told. */
    async tellLogout({ clientId, userId, sid }: Logout): Promise<void> {
      const client = await current().provider.Client.find(clientId)
      const tell = client?.backchannelLogoutUri ? (client.backchannelLogout as TellLogout) : undefined
      await tell?.call(client, String(userId), sid)
    },

    /** What an access token of an application stands for, while it is alive; undefined for any other text. */
    async findToken(token: string) {
      // The library looks for a token of this form only; others cost no query.
      const found = /^[\w-]{43}$/.test(token) ? await current().provider.AccessToken.find(token) : undefined
      const client = found && (await db.providerClients.find(found.clientId ?? ''))
      const person = found && client && (await accounts.ofToken(found, client))
      return person && { token: found, client, person }
    },

    /** The application of an ID token of ours, also of an expired one, and its session; undefined for any other text. */
    async readHint(token: string): Promise<{ clientId: string; sid: string | undefined } | undefined> {
      const { provider } = current()
      const { aud, sid } = readAudience(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) ?? {}
      const client = await provider.Client.find(aud ?? '')
      if (!client || aud === undefined) return undefined
      try {
        await provider.IdToken.validate(token, client)
        return { clientId: aud, sid }
      } catch {
        return undefined
      }
    },

    /** Answers a request of the protocol. `url` begins with `/oidc`. */
    async handle(
      request: IncomingMessage,
      response: ServerResponse,
      url: string,
      owner: Parameters<typeof setOwner>[1],
    ): Promise<void> {
      const { headers } = request
      for (const name of Object.keys(headers))
        if (/^(x-forwarded-|forwarded$)/.test(name)) Reflect.deleteProperty(headers, name)
      headers.host = host
      headers['x-forwarded-proto'] = isEncrypted ? 'https' : 'http'
      setOwner(request, owner)
      request.url = url
      Object.assign(request, { originalUrl: path + url })
      await current().answer(request, response)
    },
  }
}

export type Engine = Awaited<ReturnType<typeof createEngine>>
