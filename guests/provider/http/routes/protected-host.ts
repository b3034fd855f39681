import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../../../lib/problem.js'
import { readReturn } from '../../forward/asked.js'
import { originOf } from '../../forward/hosts.js'
import { isCookieValue, makeCookieValue } from '../../forward/visits.js'
import { wayInLife } from '../../forward/way-in.js'
import { badReturnPage, leavePage, leftPage, overPage, ownRefusalPage, unavailablePage } from '../forward-pages.js'
import { failedPage, sendPage } from '../pages.js'

const text = Type.Optional(Type.String({ maxLength: 16_000 }))
/** Before the key of a browser that has signed out of this host alone: the next sign-in asks for a proof. */
const leftMark = 'left.'
/** Seconds. */
const leftLife = 30 * 24 * 3600

/** The key of the browser in the value of its cookie, and whether it has left. */
const readKey = (cookie = ''): { key: string | undefined; hasLeft: boolean } => {
  const hasLeft = cookie.startsWith(leftMark)
  const key = hasLeft ? cookie.slice(leftMark.length) : cookie
  return { key: isCookieValue(key) ? key : undefined, hasLeft }
}

/** Addresses of Rollcall at a protected host: its proxy passes them on. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const { db, clock, forward } = app
  const { places, visits, wayIn } = forward
  const config = { access: 'open', envelope: false } as const

  const refuse = (reply: FastifyReply, status: number, html: string): FastifyReply => {
    sendPage(reply, status, html)
    return reply
  }
  const nowhere = (request: FastifyRequest, reply: FastifyReply) => refuse(reply, 403, unavailablePage(request))

  app.get(
    '/.rollcall/sign-in',
    {
      exposeHeadRoute: false,
      config,
      schema: { hide: true, querystring: Type.Object({ return: text, other: text }) },
    },
    async (request, reply) => {
      const here = await forward.here(request)
      if (!here) return nowhere(request, reply)
      const { host, client } = here
      const origin = originOf(host)
      const target = readReturn(request.query.return ?? '/', origin)
      if (target === undefined) return refuse(reply, 400, badReturnPage(request, client.name, `${origin}/`))
      const cookie = forward.readCookie(request, host)
      const { key = makeCookieValue(), hasLeft } = readKey(cookie)
      const isSignedIn = !places.isOwn(host) && (await forward.ownerAt(request, host)) !== undefined
      // That of somebody who is signed in stays until another takes its place.
      if (!isSignedIn) forward.writeCookie(reply, host, hasLeft ? leftMark + key : key, hasLeft ? leftLife : wayInLife)
      const again = request.query.other !== undefined ? 'other' : hasLeft ? 'anybody' : undefined
      return reply.redirect(wayIn.begin(client, { host, key, target, again }), 303)
    },
  )

  app.get(
    '/.rollcall/callback',
    {
      exposeHeadRoute: false,
      config,
      schema: { hide: true, querystring: Type.Object({ state: text, code: text, error: text }) },
    },
    async (request, reply) => {
      const here = await forward.here(request)
      if (!here) return nowhere(request, reply)
      const { host, client } = here
      const { state = '', code = '', error } = request.query
      const over = (target = `${originOf(host)}/`) => refuse(reply, 400, overPage(request, client.name, target))
      const begun = wayIn.read(state, host)
      if (!begun) return over()
      // Whoever may not come in has been told, and reads it once more.
      if (error === 'access_denied') return reply.redirect(begun.target, 303)
      if (error !== undefined) return refuse(reply, 400, failedPage(request))
      const visit = await wayIn.end(client, state, host, code)
      if (!visit) return over(begun.target)
      if (wayIn.isOfBrowser(begun, readKey(forward.readCookie(request, host)).key)) {
        if (places.isOwn(host)) forward.writeCookie(reply, host, '', 0)
        else {
          const expiry = (await db.sessions.find(visit.sessionId))?.session.expiry ?? 0
          const value = await visits.start(host, { ...visit, expiry })
          forward.writeCookie(reply, host, value, (expiry - clock.now()) / 1000)
        }
        return reply.redirect(begun.target, 303)
      }
      // Another tab of the same browser was faster.
      const owner = await forward.ownerAt(request, host)
      if (owner?.session.id === visit.sessionId) return reply.redirect(begun.target, 303)
      return over(begun.target)
    },
  )

  // A proxy that shows no body of a refusal asks once more, here.
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/.rollcall/refused',
    config: { ...config, answersOtherOrigins: true },
    schema: { hide: true },
    async handler(request, reply) {
      const passes = await forward.decide(request, reply, false)
      if (!passes) return reply
      const here = await forward.here(request)
      if (!here) return nowhere(request, reply)
      // The refusal is not ours; led on to anywhere, somebody could come back here without end.
      return refuse(reply, 403, ownRefusalPage(request, here.client.name, `${originOf(here.host)}/`))
    },
  })

  app.get('/.rollcall/sign-out', { exposeHeadRoute: false, config, schema: { hide: true } }, async (request, reply) => {
    const here = await forward.here(request)
    if (!here) return nowhere(request, reply)
    const { host, client } = here
    const owner = await forward.ownerAt(request, host)
    const signInHref = `${places.signIn(host)}?return=%2F`
    if (!owner)
      return refuse(reply, 200, leftPage(request, { application: client.name, isEverywhere: false, signInHref }))
    const page = leavePage(request, {
      ...{ application: client.name, person: owner.user.username, action: places.signOut(host) },
      ...{ isOwn: places.isOwn(host), stayHref: `${originOf(host)}/` },
    })
    return refuse(reply, 200, page)
  })

  app.post(
    '/.rollcall/sign-out',
    {
      config: { ...config, errors: ['cross_site_form'] },
      schema: { hide: true, querystring: Type.Object({ from: text }) },
    },
    async (request, reply) => {
      const here = await forward.here(request)
      if (!here) return nowhere(request, reply)
      if (request.isFormOfAnotherOrigin) throw problem('cross_site_form')
      const { host, client } = here
      const isEverywhere = places.isOwn(host) || request.query.from === 'everywhere'
      const owner = await forward.ownerAt(request, host)
      const cookie = forward.readCookie(request, host)
      if (places.isOwn(host)) await reply.endDocumentSession()
      else {
        if (owner && isEverywhere) await db.sessions.end([owner.session.id], 'logout', clock.now())
        if (cookie !== undefined) await visits.end(host, cookie)
        forward.writeCookie(reply, host, isEverywhere ? '' : leftMark + makeCookieValue(), isEverywhere ? 0 : leftLife)
      }
      const signInHref = `${places.signIn(host)}?return=%2F`
      return refuse(reply, 200, leftPage(request, { application: client.name, isEverywhere, signInHref }))
    },
  )
}

export default route
