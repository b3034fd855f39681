import { Ajv } from 'ajv'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { components } from '../../../schemas/index.js'
import { userClientFormat } from '../../../schemas/login.js'
import { checkFieldCount } from './field-count.js'
import { createReadInput, nulCharacters } from './read-input.js'

interface InputSchema {
  properties?: Record<string, { format?: string }>
}

/**
 * Refuses kinds of clients that the configuration does not name. Not an `enum` of the schemas: these are shared by all apps of
 * a process, whose configurations differ.
 */
const createUserClientCheck = (names: string[]) => (schema: InputSchema) => {
  const fields = Object.entries(schema.properties ?? {})
    .filter(([, { format }]) => format === userClientFormat)
    .map(([field]) => field)
  return (input: unknown) =>
    fields
      .filter((field) => {
        const value = (input as Record<string, unknown> | null)?.[field]
        return typeof value === 'string' && !names.includes(value)
      })
      .map((field) => ({ keyword: 'enum', instancePath: `/${field}`, params: { allowedValues: names } }))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Query parameters are read as fields of the body too, as old clients send them; the body has precedence. */
    queryAsBody?: boolean
  }
  interface FastifyInstance {
    /** Adds shapes with an `$id`, to which schemas of routes refer by `ref`. The same `$id` is the same shape in all apps of a process. */
    addComponents: (shapes: TSchema[]) => void
  }
}

/**
 * Shared by all apps of a process, so that each schema is compiled once. `strict: false`, because schemas contain keywords
 * of the OpenAPI document such as `examples`.
 */
const ajv = new Ajv({
  allErrors: true,
  strict: false,
  strictNumbers: true,
  formats: { int64: true, [userClientFormat]: true },
})
/** Registers the named components and validates input. The first faults are reported at once. */
export default fp(
  async (app) => {
    app.decorate('addComponents', (shapes) => {
      for (const shape of shapes) {
        if (!ajv.schemas[shape.$id ?? '']) ajv.addSchema(shape)
        app.addSchema(shape)
      }
    })
    app.addComponents(components)
    const checkClients = createUserClientCheck(Object.keys(app.installation.settings.clients))
    app.setValidatorCompiler(({ schema }) => {
      const { $ref } = schema as { $ref?: string }
      const resolved = ($ref === undefined ? schema : ajv.getSchema($ref)?.schema) as object
      const readInput = createReadInput(resolved)
      const unknownClients = checkClients(resolved)
      // Compiled at the first request: most routes are rarely used, and the code of all of them takes several MiB.
      let validate: ReturnType<typeof ajv.compile> | undefined
      return (input: unknown) => {
        validate ??= ajv.compile(schema as object)
        // A missing body counts as an empty object, so that the required fields are reported by name.
        const value = readInput(input ?? {})
        const isValid = validate(value)
        const faults = [...(isValid ? nulCharacters(value) : (validate.errors ?? [])), ...unknownClients(value)]
        return faults.length === 0 ? { value } : { error: faults as unknown as Error }
      }
    })
    app.addHook('preValidation', checkFieldCount)
    app.addHook('onRoute', (route) => {
      if (!route.config?.queryAsBody) return
      const merge = async (request: FastifyRequest) => {
        if (Array.isArray(request.body)) return
        request.body = { ...(request.query as object), ...(request.body as object | undefined) }
      }
      route.preValidation = [...[route.preValidation ?? []].flat(), merge]
    })
  },
  { name: 'http/validation' },
)
