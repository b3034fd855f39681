import createSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Serialize = ReturnType<ReturnType<ReturnType<typeof createSelector>>>

/** By schema; for each set of components a map of its own. */
const built = new Map<string, Map<string, Serialize>>()

/**
 * Fastify's own serializers, built once for each schema and process instead of once for each server: to build them takes a
 * good part of the start of a server.
 */
export const sharedSerializers: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildSerializer: (components, options) => {
      const build = createSelector()(components, options)
      const set = JSON.stringify([components, options])
      const known = built.get(set) ?? new Map<string, Serialize>()
      built.set(set, known)
      return (route) => {
        const schema = JSON.stringify(route.schema)
        const serialize = known.get(schema) ?? build(route)
        known.set(schema, serialize)
        return serialize
      }
    },
  },
}
