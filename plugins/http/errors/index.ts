import type { FastifyError, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import createRouter from 'find-my-way'
import { catalogue } from '../../../schemas/problems.js'
import { createObservers } from '../../../lib/observers.js'
import { logLate } from './before-routing.js'
import { errorEnvelope } from './error-envelope.js'
import { languageOf } from '../../../lib/language.js'
import { cutOffOpener } from '../../../lib/opener-policy.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { refusalHeaders } from './refusal-headers.js'
import { toProblem } from './translate.js'
import { toFaults } from '../../../lib/violations.js'

const createFailures = () => createObservers<[cause: unknown]>()

/** A document for a person who has opened an address that does not exist, and its headers. */
export interface MissingDocument {
  html: string
  headers: Record<string, string>
}
type FindMissingDocument = (request: FastifyRequest) => MissingDocument | undefined

declare module 'fastify' {
  interface FastifyInstance {
    /** Sets what finds the document for a request to an unknown address. Where it finds none, the answer is the envelope. */
    setMissingDocument: (find: FindMissingDocument) => void
    /** Tells the causes of answers with a status of 500 or more. */
    failures: ReturnType<typeof createFailures>
  }
}

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

interface PathParameters {
  properties?: Record<string, { type?: string }>
}

/** Whether these can be parameters of the route: `/system/user/{id}` has ids only, so `/system/user/add` is not its path. */
const isPossible = (values: Record<string, string | undefined>, parameters: PathParameters | null): boolean =>
  Object.entries(parameters?.properties ?? {}).every(
    ([name, { type }]) => type !== 'integer' || /^[+-]?\d+$/.test(values[name] ?? ''),
  )

/**
 * Answers all errors and unknown URLs in the envelope (interface 7), but for people who open an unknown URL where there are pages. Causes are logged with the request id and never sent.
 */
export default fp(
  async (app) => {
    const failures = createFailures()
    app.decorate('failures', failures)
    // Fastify's own router finds a route by its pattern only (`findRoute`), not by an address.
    const routes = createRouter({ ignoreDuplicateSlashes: true })
    app.addHook('onRoute', (route) => {
      const { params } = (route.schema ?? {}) as { params?: PathParameters }
      for (const method of [route.method].flat()) routes.on(method as 'GET', route.url, () => undefined, params)
    })
    const allowedMethods = (path: string): string[] =>
      methods.filter((method) => {
        const found = routes.find(method as 'GET', path)
        return found !== null && isPossible(found.params, found.store as PathParameters | null)
      })

    const answer = async (thrown: FastifyError | null | undefined, request: FastifyRequest, reply: FastifyReply) => {
      // JavaScript can throw any value, including undefined.
      const error = thrown ?? (new Error('the thrown value is null or undefined') as FastifyError)
      const refusal = error.validation ? problem('invalid_request') : toProblem(error)
      const { code: reason, details } = refusal
      const { status } = catalogue[reason]
      const language = languageOf(request)
      const faults = error.validation ? toFaults(error.validation) : details.faults
      if (status >= 500) {
        request.log.error({ err: details.cause ?? error, reason }, 'request failed')
        failures.tell(details.cause ?? error)
      } else {
        const facts = { reason, cause: (details.cause as Error | undefined)?.message }
        if (reason === 'request_timeout') logLate(request.log, facts)
        else request.log.info(facts, 'request refused')
      }
      void reply.headers(refusalHeaders(refusal))
      return reply.code(status).send(errorEnvelope(reason, language, app.clock.now(), { ...details, faults }))
    }

    let findMissingDocument: FindMissingDocument = () => undefined
    app.decorate('setMissingDocument', (find) => {
      findMissingDocument = find
    })

    const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
      const allowed = allowedMethods(request.url.split('?')[0] ?? '')
      // A handler may answer 404 itself; then the method is allowed.
      const isOtherMethod = allowed.length > 0 && !allowed.includes(request.method)
      if (isOtherMethod) void reply.header('allow', allowed.join(', '))
      const missing = isOtherMethod ? undefined : findMissingDocument(request)
      if (missing) {
        request.log.info({ reason: 'not_found' }, 'request refused')
        cutOffOpener(reply)
        return reply.code(404).headers(missing.headers).send(missing.html)
      }
      return answer(problem(isOtherMethod ? 'method_not_allowed' : 'not_found'), request, reply)
    }

    app.setErrorHandler<FastifyError>(answer)
    app.setNotFoundHandler(refuse)
    app.addHook('onRequest', (request, reply, next) => {
      const { raw } = request
      // RFC 9112 3.2: a request of HTTP/1.1 without Host is answered 400.
      if (raw.httpVersion === '1.1' && raw.headers.host === undefined) next(invalidField('host', 'required'))
      // Before the body is parsed: an unknown URL is 404 even if the body is invalid.
      else if (request.is404) void refuse(request, reply)
      else next()
    })
    // Node.js would answer an unknown `Expect` header (RFC 9110 10.1.1) with 417 and no body; the header is ignored
    // instead.
    if (app.server.listenerCount('checkExpectation') === 0) {
      app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
    }
  },
  { name: 'http/errors' },
)
