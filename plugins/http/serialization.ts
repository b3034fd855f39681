import createSelector from '@fastify/fast-json-stringify-compiler'
import fp from 'fastify-plugin'

type Serialize = (value: unknown) => string

/**
 * Builds a serializer when its schema is first answered with, and only once. Fastify would build one for each status of
 * each route at the start; nearly all of these are the same, those of refusals, and most routes are rarely used.
 */
export default fp(
  async (app) => {
    const built = new Map<string, Serialize>()
    let select: ReturnType<ReturnType<typeof createSelector>> | undefined
    const build = (route: object, key: string): Serialize => {
      // Not earlier: the components must all be there.
      select ??= createSelector()(app.getSchemas(), app.initialConfig as never)
      const serialize = select(route as never) as Serialize
      built.set(key, serialize)
      return serialize
    }
    // The first serializer checks all components, which takes some 10 ms: now, and not in the first answer of a new server.
    app.addHook('onReady', async () => void build({ schema: {} }, '{}'))
    app.setSerializerCompiler((route) => {
      const key = JSON.stringify(route.schema)
      let serialize: Serialize | undefined
      return (value: unknown) => {
        serialize ??= built.get(key) ?? build(route, key)
        return serialize(value)
      }
    })
  },
  { name: 'http/serialization' },
)
