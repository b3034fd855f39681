import type { onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { createAdmission } from './admission.js'
import { admitToHostRoutes, withoutGuards } from './host-routes.js'

/**
 * Enforces the access policy in the `config` of each route. The app does not start if a route has none.
 */
export default fp(
  async (app) => {
    const admission = createAdmission(app.sessions)
    admitToHostRoutes(app, admission)
    if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller')
    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (!access) throw new Error(`Route ${[route.method].flat().join(', ')} ${route.url} declares no access policy`)
      route.onRequest = withoutGuards(route)
      if (access === 'open') return
      const { beforePasswordChange = false } = route.config ?? {}
      const admit = admission(access, { beforePasswordChange })
      const enforce: onRequestHookHandler = (request, _reply, next) => {
        try {
          const admitted = admit(request)
          if (admitted instanceof Promise) admitted.then(() => next(), next)
          else next()
        } catch (error) {
          next(error as Error)
        }
      }
      route.onRequest.push(enforce)
    })
  },
  { name: 'http/access', dependencies: ['http/documentation', 'http/errors', 'sessions/sessions'] },
)
