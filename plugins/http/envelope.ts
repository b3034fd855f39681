import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { envelope } from '../../schemas/envelope.js'
import { Prepared } from '../../schemas/prepared.js'
import { success } from '../../schemas/problems.js'
import { languageOf } from '../../lib/language.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false` sends the payload without the envelope, for formats of other standards (OpenAPI document, key set). */
    envelope?: boolean
  }
}

const wrapBytes = (before: string, bytes: Buffer, after: string): Buffer => {
  const whole = Buffer.allocUnsafe(Buffer.byteLength(before) + bytes.length + Buffer.byteLength(after))
  const start = whole.write(before)
  whole.set(bytes, start)
  whole.write(after, start + bytes.length)
  return whole
}

/**
 * Wraps the result of a handler, and its response schema, in the response envelope (interface 2.1). A handler that returns
 * nothing answers `data: null`. `Prepared` JSON is inserted without serialization.
 */
export default fp(
  async (app) => {
    const wrap = (request: FastifyRequest, reply: FastifyReply, data: unknown) => {
      const message = success[languageOf(request)]
      const timestamp = app.clock.now()
      if (!(data instanceof Prepared)) return { code: 200, message, data: data ?? null, timestamp }
      void reply.header('content-type', 'application/json; charset=utf-8')
      const before = `{"code":200,"message":${JSON.stringify(message)},"data":`
      const after = `,"timestamp":${timestamp}}`
      const { json } = data
      return typeof json === 'string' ? before + json + after : wrapBytes(before, json, after)
    }
    app.addHook('onRoute', (route) => {
      const response = route.schema?.response as Record<string, Parameters<typeof envelope>[0]> | undefined
      const payload = response?.['200']
      if (route.config?.envelope === false) return
      if (payload) route.schema = { ...route.schema, response: { ...response, 200: envelope(payload) } }
      const handler = route.handler
      route.handler = async function wrapped(this: typeof app, request: FastifyRequest, reply: FastifyReply) {
        return wrap(request, reply, await handler.call(this, request, reply))
      }
    })
  },
  { name: 'http/envelope' },
)
