import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import { cookieValues } from '../../../lib/cookie-values.js'
import { toOneLine } from '../../../lib/one-line.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { trustedProxies } from '../../../lib/trusted-proxies.js'
import { checkSession } from '../../../plugins/sessions/sessions/validate-session.js'
import { maxReturn, readAsked, readReturn, wantsPage, type Asked } from '../forward/asked.js'
import { hostKey, originOf } from '../forward/hosts.js'
import { createIdentityHeaders, nobody } from '../forward/identity-headers.js'
import { createPlaces, type Places } from '../forward/places.js'
import { verdictOf, type Verdict } from '../forward/verdict.js'
import { createVisits, type Visitor, type Visits } from '../forward/visits.js'
import { createWayIn, type WayIn } from '../forward/way-in.js'
import { refusalOf } from '../person.js'
import type { Client } from '../repositories/clients.js'
import { createMetrics } from './forward-metrics.js'
import { unavailablePage, refusedPage } from './forward-pages.js'
import { sendPage } from './pages.js'

/** A request for a protected host, and what becomes of it. */
interface Decided {
  asked: Asked
  host: string
  client: Client
  verdict: Verdict
  /** Of who comes by the cookie of the host. */
  headers?: Visitor['headers'] | undefined
}

interface Forward {
  places: Places
  visits: Visits
  wayIn: WayIn
  /** The application that is protected at the host of this request, which is one for an address of ours there; undefined at any other host. */
  here: (request: FastifyRequest) => Promise<{ host: string; client: Client } | undefined>
  /** The value of the cookie of this host; undefined where it has none, or more than one. */
  readCookie: (request: FastifyRequest, host: string) => string | undefined
  writeCookie: (reply: FastifyReply, host: string, value: string, maxAge: number) => void
  /** Whoever is signed in at the host, by the cookie of a browser. */
  ownerAt: (request: FastifyRequest, host: string) => Promise<SessionOwner | undefined>
  /** Answers whatever is not let through; resolves to what is said of who comes where it is. */
  decide: (
    request: FastifyRequest,
    reply: FastifyReply,
    isNginx: boolean,
  ) => Promise<Record<string, string> | undefined>
}

declare module 'fastify' {
  interface FastifyInstance {
    forward: Forward
  }
}

const hour = 3600_000
/** Hosts, headers and users of which it is told within an hour: strangers may name any host. */
const maxTold = 100

/** Protected hosts: what a proxy asks of each request, by the session of the browser. */
export default fp(
  async (app) => {
    const { db, clock, encryption } = app
    const { issuer, trustProxy } = app.installation.settings
    const isTrusted = trustedProxies(trustProxy)
    // Few proxies ask all the time.
    const asking = new LRUCache<string, boolean>({ max: 100, memoMethod: isTrusted })
    const isProxy = (address: string): boolean => asking.memo(address)
    const places = createPlaces(issuer)
    const wayIn = createWayIn({ issuer, places, clock, encryption, takeCode: app.openIdProvider.takeCode })
    const metrics = await createMetrics(app)
    const told = new Map<string, number>()
    const tell = (key: string, sentence: string): void => {
      const now = clock.now()
      for (const [one, time] of told) if (now - time >= hour) told.delete(one)
      if (told.has(key) || told.size >= maxTold) return
      told.set(key, now)
      app.log.warn(sentence)
    }
    const identityHeaders = createIdentityHeaders({
      contacts: db.verifiedContacts,
      onCut: ({ user }) =>
        tell(
          `roles ${user.id}`,
          `The user ${user.id} has more roles than Remote-Groups takes: it ends after 4096 bytes, and applications do not see the rest.`,
        ),
    })

    const visits = createVisits({ db, clock, identityHeaders })

    const isEncrypted = (host: string): boolean => !host.startsWith('http://')
    // Of this host alone, and of the installation: browsers send cookies of one host to all its ports.
    const cookieName = (host: string): string =>
      `${isEncrypted(host) ? '__Host-' : ''}rollcall_host_${encryption.installation}`
    const readCookie: Forward['readCookie'] = ({ headers }, host) => {
      const values = cookieValues(headers.cookie, cookieName(host))
      return values.length === 1 ? values[0] : undefined
    }

    /** Whoever has come from the sign-in, while the session lives. */
    const visitorAt = async (request: FastifyRequest, host: string): Promise<Visitor | undefined> => {
      const visitor = await visits.find(host, readCookie(request, host) ?? '')
      if (!visitor || visitor.owner.user.forcePasswordChange) return undefined
      try {
        checkSession(visitor.owner, clock.now(), () => true)
        return visitor
      } catch (error) {
        if (isProblem(error)) return undefined
        throw error
      }
    }

    const ownerAt: Forward['ownerAt'] = async (request, host) =>
      places.isOwn(host) ? request.documentOwner() : (await visitorAt(request, host))?.owner

    /** The owner of a token that a script shows. Throws what it is refused for. */
    const ownerOfToken = async ({ headers, ip }: FastifyRequest): Promise<SessionOwner | undefined> => {
      const { authorization = '' } = headers
      if (!/^bearer /i.test(authorization)) return undefined
      const { sessions, attempts } = app
      const token = sessions.apiTokens.shownIn(authorization)
      const owner = await (token === undefined
        ? sessions.authenticate(authorization)
        : attempts.limitApiTokens(ip, () => sessions.apiTokens.authenticate(token, ip)))
      if (owner.user.forcePasswordChange) throw problem('password_change_required')
      return owner
    }

    /** What a trusted proxy says; undefined where nobody passes. */
    const readProxy = ({ raw: { headers, socket } }: FastifyRequest): (Asked & { host: string }) | undefined => {
      const from = socket.remoteAddress ?? ''
      if (!isProxy(from)) {
        tell(
          'proxy',
          `A proxy at ${from} asks about a protected host, and nobody passes: it is not in TRUST_PROXY, so what it says is ignored.`,
        )
        return undefined
      }
      const asked = readAsked(headers)
      if (typeof asked === 'string') {
        tell(
          asked,
          `A proxy asks about a protected host, and nobody passes: its header ${asked} is absent, comes twice or cannot be read.`,
        )
        return undefined
      }
      const { host } = asked
      if (host !== undefined) return { ...asked, host }
      tellHost(headers, 'people have to open protected hosts by https (X-Forwarded-Proto).')
      return undefined
    }
    const tellHost = (headers: IncomingHttpHeaders, why: string): void => {
      const name = toOneLine(String(headers['x-forwarded-host'])).slice(0, 100)
      tell(`host ${name}`, `A proxy asks about ${name}, and nobody passes: ${why}`)
    }

    const decideBy = async (request: FastifyRequest): Promise<Decided | undefined> => {
      const asked = readProxy(request)
      if (!asked) return undefined
      const { host, uri } = asked
      const isOwn = places.isOwn(host)
      const visitor = isOwn ? undefined : await visitorAt(request, host)
      const client = visitor?.client ?? (await db.providerClients.ofHost(host))
      if (!client) {
        tellHost(request.headers, 'no application has this host. rollcall client add --type forward adds one.')
        return undefined
      }
      const owner = isOwn ? await request.documentOwner() : visitor?.owner
      const verdict = verdictOf(client, owner, uri, clock)
      if (owner || verdict.kind === 'pass') return { asked, host, client, verdict, headers: visitor?.headers }
      return { asked, host, client, verdict: verdictOf(client, await ownerOfToken(request), uri, clock) }
    }

    /** Throws why a script, a form or a program is not let through. */
    const refuse = async (verdict: Exclude<Verdict, { kind: 'pass' }>): Promise<never> => {
      if (verdict.kind === 'refused') throw problem('access_denied')
      const { owner, lacks } = verdict
      if (!owner) throw problem('token_missing')
      if (owner.token) throw problem('token_not_allowed')
      if (lacks === 'factor') return app.secondFactor.stepUp(owner.user)
      throw problem('fresh_sign_in_required')
    }

    const decide: Forward['decide'] = async (request, reply, isNginx) => {
      const decided = await decideBy(request)
      metrics.count(decided?.client.id ?? '', decided?.verdict.kind ?? 'unknown')
      const isPage = () => wantsPage(String(request.headers['x-forwarded-method'] ?? request.method), request.headers)
      if (!decided) {
        if (!isPage()) throw problem('host_not_protected')
        sendPage(reply, 403, unavailablePage(request))
        return undefined
      }
      const { asked, host, client, verdict } = decided
      if (verdict.kind === 'pass')
        return verdict.owner ? (decided.headers ?? identityHeaders(client, verdict.owner)) : nobody
      if (!isPage()) return refuse(verdict)
      const origin = originOf(host)
      const back = asked.uri.length > maxReturn ? undefined : readReturn(asked.uri, origin)
      const signIn = `${places.signIn(host)}?${new URLSearchParams({ return: back?.slice(origin.length) ?? '/' }).toString()}`
      if (verdict.kind === 'sign-in') {
        // nginx takes no other status than 401 and 403 from here.
        void reply.code(isNginx ? 401 : 302).header('location', signIn)
        await reply.send()
        return undefined
      }
      const page = refusedPage(request, {
        application: client.name,
        person: verdict.owner.user.username,
        roles: verdict.roles,
        isPart: refusalOf(client, verdict.owner) === undefined,
        otherHref: `${signIn}&other=1`,
        signOutHref: places.signOut(host),
      })
      sendPage(reply, 403, page)
      return undefined
    }

    app.decorate('forward', {
      ...{ places, visits, wayIn, readCookie, ownerAt, decide },
      async here(request) {
        const host = hostKey(request.protocol, request.host)
        const client = host === undefined ? undefined : await db.providerClients.ofHost(host)
        return host !== undefined && client ? { host, client } : undefined
      },
      writeCookie(reply, host, value, maxAge) {
        const secure = isEncrypted(host) ? '; Secure' : ''
        const attributes = `Max-Age=${Math.floor(maxAge)}; Path=/; HttpOnly${secure}; SameSite=Lax`
        void reply.header('set-cookie', `${cookieName(host)}=${value}; ${attributes}`)
      },
    })
  },
  { name: 'provider/forward', dependencies: ['provider/http'] },
)
