import { Type, type Static, type TSchema, type TUnknown } from '@sinclair/typebox'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'

/** A request of the front end. */
interface Row<Query extends TSchema, Params extends TSchema, Body extends TSchema> {
  operationId: string
  config: FastifyContextConfig
  summary: string
  description?: string
  querystring?: Query
  params?: Params
  body?: Body
  /** Absent for commands, whose answer is null. */
  answer?: TSchema
  handler: (
    request: FastifyRequest<{ Querystring: Static<Query>; Params: Static<Params>; Body: Static<Body> }>,
  ) => unknown
}

/** Adds requests to the app: `add('GET /path', row)`. */
export const createAdd =
  (app: FastifyInstance) =>
  <Query extends TSchema = TUnknown, Params extends TSchema = TUnknown, Body extends TSchema = TUnknown>(
    request: string,
    { operationId, config, answer = Type.Null(), handler, ...shown }: Row<Query, Params, Body>,
  ): void => {
    const [method = '', url = ''] = request.split(' ')
    app.route({
      method,
      url,
      config,
      schema: { operationId, tags: ['compat'], ...shown, response: { 200: answer } },
      handler: async (received) => handler(received as Parameters<typeof handler>[0]),
    })
  }
