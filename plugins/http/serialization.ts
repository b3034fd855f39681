import createSelector from '@fastify/fast-json-stringify-compiler'
import fp from 'fastify-plugin'

type Serialize = (value: unknown) => string

/**
 * Serializers by the components of a service, then by schema. Services of one process, as in tests, nearly always have the same components,
 * and share what was built: to build it for each took a twelfth of the time of the tests.
 */
const known = new Map<string, Map<string, Serialize>>()

const builtFor = (components: object): Map<string, Serialize> => {
  const key = JSON.stringify(components)
  const built = known.get(key) ?? new Map<string, Serialize>()
  known.set(key, built)
  return built
}

/**
 * Builds a serializer when its schema is first answered with, and only once. Fastify would build one for each status of
 * each route at the start; nearly all of these are the same, those of refusals, and most routes are rarely used.
 */
export default fp(
  async (app) => {
    let built: Map<string, Serialize> | undefined
    let select: ReturnType<ReturnType<typeof createSelector>> | undefined
    const serializerOf = (route: object, key: string): Serialize => {
      // Not earlier: the components must all be there.
      built ??= builtFor(app.getSchemas())
      const existing = built.get(key)
      if (existing) return existing
      select ??= createSelector()(app.getSchemas(), app.initialConfig as never)
      const serialize = select(route as never) as Serialize
      built.set(key, serialize)
      return serialize
    }
    // The first serializer checks all components, which takes some 10 ms: now, and not in the first answer of a new server.
    app.addHook('onReady', async () => void serializerOf({ schema: {} }, '{}'))
    app.setSerializerCompiler((route) => {
      const key = JSON.stringify(route.schema)
      let serialize: Serialize | undefined
      return (value: unknown) => {
        serialize ??= serializerOf(route, key)
        return serialize(value)
      }
    })
  },
  { name: 'http/serialization' },
)
