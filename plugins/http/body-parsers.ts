import formbody from '@fastify/formbody'
import fp from 'fastify-plugin'
import { parse as parseStrictly } from 'lossless-json'
import { parse } from 'secure-json-parse'
import { invalidField, problem } from '../../lib/problem.js'

const refuseKey = ({ key }: { key: string }): never => {
  throw new SyntaxError(`${key} is given twice`)
}

/** No request of this API comes near; a larger body is answered 413. Bytes. */
const bodyLimit = 64 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })

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
        const text = decoder.decode(body)
        // A key given twice means one thing to us and another to whatever looked at the body before us.
        parseStrictly(text, undefined, { onDuplicateKey: refuseKey })
        // Keys such as __proto__ are an attack, never a field.
        done(null, parse(text, { protoAction: 'error', constructorAction: 'error' }))
      } catch {
        done(invalidField('body', 'json'))
      }
    })
    await app.register(formbody, { bodyLimit })
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body: Buffer, done) => {
      if (body.length === 0) done(null, undefined)
      else done(problem('unsupported_media_type'))
    })
  },
  { name: 'body-parsers' },
)
