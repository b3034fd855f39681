import { documentOf } from '../helpers/documents/document.js'
import type { Route } from '../helpers/service/routes.js'
import type { TestServer } from '../helpers/service/server.js'
import type { Victim } from './operation-victim.js'

interface Example {
  $ref: string
}
interface Operation {
  requestBody?: { content: Record<string, { examples?: Record<string, Example>; example?: unknown }> }
}

/** A request to an operation, with what belongs to somebody else wherever it can name something. */
export interface OperationRequest {
  name: string
  route: Route
  method: string
  address: string
  json?: unknown
}

/** The parameters of paths by which operations name what belongs to somebody. */
const idIn = (path: string, victim: Victim): string => {
  if (/session|online/i.test(path)) return victim.sessionId
  if (path.includes('/tenant/')) return String(victim.tenantId)
  if (path.includes('/auth/factors/')) return victim.factorId
  return String(victim.userId)
}

const addressOf = (path: string, victim: Victim): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'key') return victim.roleKey
    if (name === 'platform') return 'corporate'
    return idIn(path, victim)
  })

/** The example of a body, with the ids of the victim in place of those that it has. */
const aimed = (value: unknown, victim: Victim, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => aimed(item, victim, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, aimed(inner, victim, key)]))
  if (/^tenantId$/i.test(name)) return typeof value === 'string' ? String(victim.tenantId) : victim.tenantId
  if (/^(id|ids|userIds?)$/i.test(name)) return typeof value === 'string' ? String(victim.userId) : victim.userId
  return value
}

/** All operations of both documents: with nothing in the body, and with an example that names the victim. */
export const operationRequests = (server: TestServer, routes: Route[], victim: Victim): OperationRequest[] => {
  const document = documentOf(server) as { paths: Record<string, Record<string, Operation>>; components: any }
  const routeOf = (method: string, path: string): Route => {
    const found = routes.find(
      (route) => route.method === method && route.path.replaceAll(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '') === path,
    )
    if (!found) throw new Error(`there is no route for ${method} ${path}`)
    return found
  }
  const examplesOf = ({ requestBody }: Operation): unknown[] => {
    const { examples = {}, example } = requestBody?.content['application/json'] ?? {}
    const values = Object.values(examples).map(
      ({ $ref }) => document.components.examples[$ref.split('/').at(-1) ?? ''].value,
    )
    return example === undefined ? values : [example, ...values]
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, operation]) => {
      const method = verb.toUpperCase()
      const [name, route, address] = [`${method} ${path}`, routeOf(method, path), addressOf(path, victim)]
      const request = { name, route, method, address }
      const query = `${address}?tenantId=${victim.tenantId}&id=${victim.userId}&userId=${victim.userId}`
      const bodies = operation.requestBody ? [{}, ...examplesOf(operation).map((value) => aimed(value, victim))] : []
      const withBodies = bodies.map((json) => ({ ...request, json }))
      return withBodies.length > 0 ? withBodies : [request, { ...request, address: query }]
    }),
  )
}
