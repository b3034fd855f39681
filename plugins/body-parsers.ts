import formbody from '@fastify/formbody'
import fp from 'fastify-plugin'
import { parse } from 'secure-json-parse'
import { invalidField } from './errors/problem.js'

/** No request of this API comes near; a larger body is answered 413. Bytes. */
const bodyLimit = 64 * 1024

/**
 * JSON and form bodies. An empty body is no body, whatever its content type says: existing clients send
 * `Content-Length: 0` with a form type, or a JSON type with nothing.
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
        const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
        // Keys such as __proto__ are an attack, never a field.
        done(null, parse(text, { protoAction: 'error', constructorAction: 'error' }))
      } catch {
        done(invalidField('body', 'json'))
      }
    })
    await app.register(formbody, { bodyLimit })
  },
  { name: 'body-parsers' },
)
