import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { createOutbound } from '../../../lib/outbound.js'
import { repeat } from '../../../lib/repeat.js'
import { toOneLine } from '../../../lib/one-line.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { createEngine, type Engine } from '../engine/index.js'
import type { Refusal } from '../engine/events.js'
import { createOutbox } from '../logouts/outbox.js'
import { ownerOfRequest } from '../engine/request-owner.js'
import { createDescribe } from './introspection.js'
import { createMetrics } from './metrics.js'
import { failedPage, pageHeaders } from './pages.js'

declare module 'fastify' {
  interface FastifyInstance {
    openIdProvider: Pick<Engine, 'cookieName' | 'interactions' | 'readHint' | 'takeCode'> & {
      /** Lets the library answer a request, of which nobody has read the body. */
      answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    }
  }
}

/** Headers of the service that an answer of the library has, too. Its own ones come on top. */
const kept = ['x-request-id', 'x-content-type-options', 'referrer-policy', 'cache-control']
/** Nothing but the one script of an answer by `response_mode=form_post`, whose hash the library adds. */
const policy = "default-src 'none';script-src;frame-ancestors 'none'"

/** Connects the library to the service: requests as they came, answers as it writes them, refusals in the log. */
export default fp(
  async (app) => {
    const { db, clock } = app
    const requests = new WeakMap<IncomingMessage, FastifyRequest>()
    const requestOf = (raw: IncomingMessage): FastifyRequest => {
      const request = requests.get(raw)
      if (!request) throw new Error('The library asks about a request that it has not got')
      return request
    }
    // Of what describes itself below a listed address there may be any number.
    const labelOf = (clientId: string): string => (URL.canParse(clientId) ? new URL(clientId).host : clientId)
    // Strangers can be refused as often as they like: one is written down, the same one a minute later at the earliest.
    const noted = new LRUCache<string, true>({ max: 1000, ttl: 60_000 })
    const noteError = (clientId: string, message: string): void => {
      const key = `${clientId} ${message.slice(0, message.indexOf(':'))}`
      if (noted.has(key)) return
      noted.set(key, true)
      db.providerClients.noteError(clientId, message, clock.now()).catch((reason: unknown) => {
        app.log.error({ err: reason }, 'what was refused an application could not be written down')
      })
    }
    const metrics = await createMetrics(app)
    const tell = ({ endpoint, clientId, isKnown, error, detail, cause }: Refusal): void => {
      metrics.refused(isKnown && clientId !== undefined ? labelOf(clientId) : '', error)
      const client = toOneLine(clientId ?? '').slice(0, 100)
      const said = toOneLine(detail).slice(0, 500)
      if (cause !== undefined) {
        app.log.error({ err: cause, client }, `single sign-on failed at ${endpoint}`)
        return
      }
      app.log.info({ client, error }, `single sign-on refused at ${endpoint}: ${said}`)
      if (clientId !== undefined) noteError(clientId, `${error}: ${said}`)
    }
    // The router takes `//oidc` for `/oidc`.
    const pathOf = (url: string): string => url.slice(app.prefix.length).replace(/^\/+/, '/')
    const { allowPrivateAddresses } = app.installation.settings.provider
    const outbound = createOutbound({ timeout: 5, allowHttp: allowPrivateAddresses, allowPrivateAddresses })
    app.addHook('onClose', () => outbound.close())
    const engine = await createEngine(app, {
      outbound,
      renderError: (ctx) => {
        ctx.set(pageHeaders)
        ctx.body = failedPage(requestOf(ctx.req))
      },
      onRefusal: tell,
      onTokens: (clientId, grant) => metrics.issued(labelOf(clientId), grant),
      async onAuthorization(raw, client) {
        const owner = ownerOfRequest(raw)
        if (!owner) return
        const { address, userAgent } = requestOf(raw).clientContext
        const { id: userId, username, tenantId } = owner.user
        const subject = { kind: 'username', text: username } as const
        const event = { tenantId, subject, authType: 'sso', userClient: client.id, address, userAgent }
        const entry = app.loginLog.succeeded(event, userId)
        await entry.write(db)
        entry.log()
        metrics.authorized(labelOf(client.id))
      },
      countWrongSecret: async (raw) => {
        const wrong = () => {
          throw problem('invalid_client')
        }
        try {
          return await app.attempts.limitClients(requestOf(raw).clientContext.address, wrong)
        } catch (error) {
          if (!isProblem(error)) throw error
          return error.details.retryAfter === undefined ? undefined : Math.ceil(error.details.retryAfter)
        }
      },
    })
    const outbox = createOutbox({
      ...{ db, clock, tell: (logout) => engine.tellLogout(logout) },
      gaveUp: (clientId, reason) => {
        const client = toOneLine(clientId).slice(0, 100)
        const said = toOneLine(reason).slice(0, 500)
        app.log.warn({ client }, `an application was not told of a sign-out: ${said}`)
        noteError(clientId, `back-channel logout: ${said}`)
      },
    })
    const failed = (error: unknown) => app.log.error({ err: error }, 'applications could not be told of sign-outs')
    const repetitions = [
      repeat(() => outbox.sendDue(), { pause: 1000, failed }),
      repeat(() => outbox.endExpired(), { pause: 60_000, failed }),
    ]
    app.addHook('onClose', async () => {
      for (const { close } of repetitions) await close()
    })
    app.resourceServers.add({ metadata: engine.metadata, describe: createDescribe(engine, app) })
    app.decorate('openIdProvider', {
      cookieName: engine.cookieName,
      interactions: engine.interactions,
      readHint: (token) => engine.readHint(token),
      takeCode: engine.takeCode,
      async answer(request, reply) {
        const { raw } = request
        const owner = await request.documentOwner()
        requests.set(raw, request)
        reply.hijack()
        for (const name of kept) {
          const value = reply.getHeader(name)
          if (value !== undefined) reply.raw.setHeader(name, value)
        }
        reply.raw.setHeader('content-security-policy', policy)
        await engine.handle(raw, reply.raw, pathOf(request.url), owner)
      },
    })
  },
  { name: 'provider/http' },
)
