import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { callerOf } from '../../../lib/caller-of.js'
import { createAdmission, createLevelCheck, type Admit } from './admission.js'
import { isAdministration } from './administers.js'
import { admitToHostRoutes, withoutGuards } from './host-routes.js'

/**
 * Enforces the access policy in the `config` of each route. The app does not start if a route has none.
 */
export default fp(
  async (app) => {
    const admission = createAdmission(app.sessions, app.downloadTickets, app.attempts)
    const { administration } = app.installation.settings.secondFactor
    const checkLevel = createLevelCheck(app.secondFactor)
    admitToHostRoutes(app, admission)
    if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller')
    if (!app.hasRequestDecorator('downloadAsked')) app.decorateRequest('downloadAsked')
    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (!access) throw new Error(`Route ${[route.method].flat().join(', ')} ${route.url} declares no access policy`)
      route.onRequest = withoutGuards(route)
      if (access === 'open') return
      const { beforePasswordChange = false, downloadTicket = false, tokens, ticket } = route.config ?? {}
      const admitCaller = admission(access, { beforePasswordChange, downloadTicket, tokens })
      const needsFactor = administration === 'aal2' && isAdministration(route, app.prefix)
      const admit: Admit = needsFactor
        ? async (request) => {
            await admitCaller(request)
            await checkLevel(callerOf(request))
          }
        : admitCaller
      if (ticket) {
        // Only the body says whether there is a ticket.
        const admitUnlessTicket = async (request: FastifyRequest): Promise<void> => {
          const { ticket: sent } = (request.body ?? {}) as { ticket?: unknown }
          if (sent === undefined) await admit(request)
        }
        route.preValidation = [admitUnlessTicket, ...[route.preValidation ?? []].flat()]
        return
      }
      route.onRequest.push(admit)
    })
  },
  { name: 'http/access' },
)
