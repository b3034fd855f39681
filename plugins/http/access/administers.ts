import type { RouteOptions } from 'fastify'

/**
 * Whether a route administers: what asks for a permission does, and what is below `/system`, unless the route says otherwise. Who asks
 * administration for a second factor asks these for it. `prefix` is that of the service in a host app.
 */
export const isAdministration = ({ url, config }: Pick<RouteOptions, 'url' | 'config'>, prefix: string): boolean => {
  const { access = 'open', administers } = config ?? {}
  if (access === 'open') return false
  return access !== 'session' || (administers ?? /^\/system(\/|$)/.test(url.slice(prefix.length)))
}
