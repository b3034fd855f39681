import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify'
import { refusalHeaders } from '../errors/refusal-headers.js'
import { toProblem } from '../errors/translate.js'
import { isAccess, type Admission, type Admit } from './admission.js'

type Server = FastifyInstance['server']
type Hook = Extract<RouteOptions['onRequest'], unknown[]>[number]

/** The access checks of the services in an app. The key is the server, which all parts of an app share. */
const admissions = new WeakMap<Server, Admission[]>()
const watched = new WeakSet<Server>()
const guards = new WeakSet<Hook>()

const findAdmit = (services: Admission[], access: unknown): Admit | undefined => {
  if (!isAccess(access)) throw new Error(`config.access is ${JSON.stringify(access)}, which is not an access policy`)
  if (access === 'open') return undefined
  const [service, another] = services
  if (!service || another)
    throw new Error('the app registers Rollcall more than once, so it is not clear which service checks access')
  return service(access, { beforePasswordChange: false })
}

/** Looks up the access check at the first request, because the service may be registered after the route. */
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
      // In an app without Rollcall `access` may have another meaning.
      if (services) admit ??= findAdmit(services, access)
      if (admit) admit(request).then(() => next(), refuse)
      else next()
    } catch (error) {
      refuse(error)
    }
  }
}

/** The `onRequest` hooks of a route without these guards. */
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

// Every app is watched from its creation, so that routes of a host app are guarded even if it does not call `guardRoutes`.
subscribe('fastify.initialization', (message) => watchRoutes((message as { fastify: FastifyInstance }).fastify))

/** Uses the sessions of this service for the guards of the host app. */
export const admitToHostRoutes = ({ server }: FastifyInstance, admission: Admission): void => {
  if (!watched.has(server)) {
    throw new Error(
      'Import rollcall before the app is created, or call guardRoutes(app) before its routes are declared',
    )
  }
  admissions.set(server, [...(admissions.get(server) ?? []), admission])
}

/**
 * Guards the routes of a host app that are declared after this call. `config: { access: 'session' }` admits signed-in
 * users, `config: { access: 'report:daily:read' }` users with this permission; `callerOf(request)` returns the caller. A
 * refusal is an error with `statusCode` and `code` (the reason), which the error handler of the host app receives. The app
 * does not start if an access policy is unknown or the service is not registered.
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
      throw new Error('guardRoutes(app) has no effect: the app does not register rollcall')
  })
}
