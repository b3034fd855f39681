import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { SessionOwner } from '../../db/sessions.js'
import { andThen } from '../../schemas/maybe-promise.js'
import { problem } from '../errors/problem.js'
import { maySkipPasswordChange } from './password-change.js'
import { covers, type Permission } from './permissions.js'

/** Who may call a route: everybody, whoever has a session, or whoever has the permission. */
type Access = 'open' | 'session' | Permission

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Who calls; on open routes nobody, whatever token was sent. */
    caller: SessionOwner
  }
}

/**
 * Enforces the access policy that each route declares as data. A route without one does not start. Whoever must
 * change the password first gets no further than `/auth`.
 */
export default fp(
  async (app) => {
    app.decorateRequest('caller')
    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (!access) throw new Error(`Route ${[route.method].flat().join(', ')} ${route.url} declares no access policy`)
      if (access === 'open') return
      const maySkip = maySkipPasswordChange(route.url.slice(app.prefix.length))
      const isEnough = access === 'session' ? undefined : covers(access)
      const admit = (request: FastifyRequest, caller: SessionOwner): void => {
        request.caller = caller
        if (caller.user.forcePasswordChange && !maySkip) throw problem('password_change_required')
        if (isEnough && !app.sessions.permissions(caller).some(isEnough)) throw problem('permission_denied')
      }
      const enforce: onRequestHookHandler = (request, _reply, next) => {
        try {
          const { authorization } = request.headers
          const admitted = andThen(app.sessions.authenticate(authorization), (caller) => admit(request, caller))
          if (admitted instanceof Promise) admitted.then(() => next(), next)
          else next()
        } catch (error) {
          next(error as Error)
        }
      }
      route.onRequest = [...[route.onRequest ?? []].flat(), enforce]
    })
  },
  { name: 'access', dependencies: ['documentation', 'errors', 'sessions'] },
)
