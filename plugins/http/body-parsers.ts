import formbody from '@fastify/formbody'
import fp from 'fastify-plugin'
import { parse as parseStrictly } from 'lossless-json'
import { parse } from 'secure-json-parse'
import { invalidField, problem } from '../../lib/problem.js'

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
        // A proxy may use the first of two equal keys and we the last, so duplicate keys are refused.
        parseStrictly(text, undefined, { onDuplicateKey: refuseKey })
        // Refuses keys such as __proto__ (prototype pollution).
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
