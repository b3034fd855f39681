import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify'
import { refusalHeaders } from '../errors/refusal-headers.js'
import { toProblem } from '../errors/translate.js'
import { isAccess, type Admission, type Admit } from './admission.js'

type Server = FastifyInstance['server']
type Hook = Extract<RouteOptions['onRequest'], unknown[]>[number]

/** How the services of an app admit callers, by the server that all parts of an app share. */
const admissions = new WeakMap<Server, Admission[]>()
const watched = new WeakSet<Server>()
const guards = new WeakSet<Hook>()

const findAdmit = (services: Admission[], access: unknown): Admit | undefined => {
  if (!isAccess(access)) throw new Error(`config.access is ${JSON.stringify(access)}, which is no access policy`)
  if (access === 'open') return undefined
  const [service, another] = services
  if (!service || another) throw new Error('more than one service in this app: whose sessions count is not known')
  return service(access, { beforePasswordChange: false })
}

/** Enforces `access` when a request comes: the service may be registered after the route. */
const createGuard = (access: unknown): onRequestHookHandler => {
  let admit: Admit | undefined
  return (request, reply, next) => {
    const refuse = (error: unknown): void => {
      const refusal = toProblem(error as Error & { code: string })
      if (refusal.statusCode === 500) request.log.error({ err: refusal.details.cause }, 'request failed')
      void reply.headers(refusalHeaders(refusal))
      next(refusal)
    }
    try {
      const services = admissions.get(request.server.server)
      // Not an app of ours: there, `access` may mean something else.
      if (services) admit ??= findAdmit(services, access)
      const admitted = admit?.(request)
      if (admitted instanceof Promise) admitted.then(() => next(), refuse)
      else next()
    } catch (error) {
      refuse(error)
    }
  }
}

/** The hooks of a route without guards, for routes that have their own. */
export const withoutGuards = ({ onRequest = [] }: RouteOptions): Hook[] =>
  [onRequest].flat().filter((hook) => !guards.has(hook))

const watchRoutes = (app: FastifyInstance): void => {
  watched.add(app.server)
  app.addHook('onRoute', (route) => {
    const access: unknown = route.config?.access
    if (access === undefined) return
    const guard = createGuard(access)
    guards.add(guard)
    route.onRequest = [guard, ...withoutGuards(route)]
  })
}

// Routes of a host app that has forgotten `guardRoutes` must not be open: every app is watched from its beginning.
subscribe('fastify.initialization', (message) => watchRoutes((message as { fastify: FastifyInstance }).fastify))

/** Lets the routes of the host app be guarded by this service. */
export const admitToHostRoutes = ({ server }: FastifyInstance, admission: Admission): void => {
  if (!watched.has(server)) {
    throw new Error('Import rollcall before the app is made, or call guardRoutes(app) before its routes are declared')
  }
  admissions.set(server, [...(admissions.get(server) ?? []), admission])
}

/**
 * Guards the routes of a host app that are declared after this call: `config: { access: 'session' }` lets in whoever is
 * signed in, `config: { access: 'report:daily:read' }` whoever has the permission, and `callerOf(request)` says who it is.
 * A refusal is an error with `statusCode` and `code`, the reason, for the error handler of the host. An unknown policy,
 * or an app that does not register the service, does not start.
 */
export const guardRoutes = (app: FastifyInstance): void => {
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller')
  watchRoutes(app)
  app.addHook('onRoute', ({ config, method, url }) => {
    const access: unknown = config?.access
    if (access === undefined || isAccess(access)) return
    throw new Error(
      `Route ${[method].flat().join(', ')} ${url} has an unknown access policy: ${JSON.stringify(access)}`,
    )
  })
  app.addHook('onReady', async () => {
    if (!admissions.has(app.server))
      throw new Error('guardRoutes(app) guards nothing: the app does not register rollcall')
  })
}
