import formbody from '@fastify/formbody'
import type { preParsingHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { parse as parseStrictly } from 'lossless-json'
import { parse } from 'secure-json-parse'
import { invalidField, problem } from '../../lib/problem.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types of a file that the handler reads from the request itself; `request.body` stays undefined. */
    upload?: string[]
  }
}

const mediaTypeOf = (contentType: string | undefined) => contentType?.split(';')[0]?.trim().toLowerCase()

/** Refuses other media types before a parser reads them. */
const checkMediaType =
  (types: string[]): preParsingHookHandler =>
  (request, _reply, payload, next) => {
    const type = mediaTypeOf(request.headers['content-type'])
    if (type !== undefined && types.includes(type)) next(null, payload)
    else
      next(
        problem('unsupported_media_type', {
          faults: [{ field: 'content-type', rule: 'enum', parameters: { allowedValues: types } }],
        }),
      )
  }

const refuseKey = ({ key }: { key: string }): never => {
  throw new SyntaxError(`duplicate key ${key}`)
}

/** Larger bodies are answered 413; all requests of this API are much smaller. Bytes. */
const bodyLimit = 64 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON and form bodies. An empty body counts as absent, whatever its content type: existing clients send
 * `Content-Length: 0` with a form content type, or a JSON content type without a body.
 */
export default fp(
  async (app) => {
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (_request, body: Buffer, done) => {
      try {
        if (body.length === 0) {
          done(null, undefined)
          return
        }
        const text = decoder.decode(body)
        // Refuses keys such as __proto__ (prototype pollution).
        const value: unknown = parse(text, { protoAction: 'error', constructorAction: 'error' })
        // A proxy may use the first of two equal keys and we the last, so duplicate keys are refused. Second, because it
        // takes ten times as long; objects for numbers would treble that.
        parseStrictly(text, undefined, { onDuplicateKey: refuseKey, parseNumber: Number })
        done(null, value)
      } catch {
        done(invalidField('body', 'json'))
      }
    })
    await app.register(formbody, { bodyLimit })
    const uploadTypes = ['multipart/form-data', 'text/csv']
    app.addHook('onRoute', (route) => {
      const types = route.config?.upload
      if (types) route.preParsing = [...[route.preParsing ?? []].flat(), checkMediaType(types)]
    })
    app.addContentTypeParser(uploadTypes, (request, payload, done) => {
      const isEmpty = request.headers['content-length'] === '0'
      if (request.routeOptions.config.upload || isEmpty) done(null, undefined)
      else {
        payload.resume()
        done(problem('unsupported_media_type'))
      }
    })
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body: Buffer, done) => {
      if (body.length === 0) done(null, undefined)
      else done(problem('unsupported_media_type'))
    })
  },
  { name: 'http/body-parsers' },
)
