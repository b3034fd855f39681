import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import createRouter from 'find-my-way'
import { catalogue, type Reason } from '../../schemas/problems.js'
import { errorEnvelope } from './error-envelope.js'
import { pickLanguage } from './language.js'
import { problem } from './problem.js'
import { toProblem } from './translate.js'
import { toFaults } from './violations.js'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** RFC 6750 3.1: a request without a token is told no error, only how to authenticate. */
const challenge = (reason: Reason): string =>
  reason === 'token_missing'
    ? 'Bearer realm="rollcall"'
    : `Bearer realm="rollcall", error="invalid_token", error_description="${reason}"`

/**
 * Answers every error in the envelope (interface 7), whatever went wrong and wherever, and unknown addresses too.
 * Causes are logged with the request id and never sent.
 */
export default fp(
  async (app) => {
    const routes = createRouter({ ignoreDuplicateSlashes: true })
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) routes.on(method as 'GET', route.url, () => undefined)
    })
    const allowedMethods = (path: string) => methods.filter((method) => routes.find(method, path) !== null)

    const answer = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { code: reason, details } = error.validation ? problem('invalid_request') : toProblem(error)
      const { status } = catalogue[reason]
      const language = pickLanguage(request.headers['accept-language'])
      const faults = error.validation ? toFaults(error.validation) : details.faults
      if (status >= 500) request.log.error({ err: details.cause ?? error, reason }, 'request failed')
      else request.log.info({ reason, cause: (details.cause as Error | undefined)?.message }, 'request refused')
      if (status === 401) void reply.header('www-authenticate', challenge(reason))
      if (details.retryAfter !== undefined) void reply.header('retry-after', Math.ceil(details.retryAfter))
      return reply.code(status).send(errorEnvelope(reason, language, app.clock.now(), faults))
    }

    app.setErrorHandler<FastifyError>(answer)
    app.setNotFoundHandler((request, reply) => {
      const allowed = allowedMethods(request.url.split('?')[0] ?? '')
      if (allowed.length > 0) void reply.header('allow', allowed.join(', '))
      return answer(problem(allowed.length > 0 ? 'method_not_allowed' : 'not_found'), request, reply)
    })
  },
  { name: 'errors', dependencies: ['clock'] },
)
