import type { FastifyError } from 'fastify'
import { InvalidTextError } from '../../../db/errors.js'
import { isOutage } from '../../../db/outage.js'
import type { Reason } from '../../../schemas/problems.js'
import { isProblem, problem, type Problem } from '../../../lib/problem.js'

/** Errors of Fastify that the client has caused. */
const frameworkReasons: Record<string, Reason> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

/** Maps any error to a problem of the catalogue; unexpected errors become `internal_error`. */
export const toProblem = (error: FastifyError): Problem => {
  if (isProblem(error)) return error
  const code = typeof error.code === 'string' ? error.code : ''
  const reason = frameworkReasons[code]
  if (reason) return problem(reason, { cause: error })
  if (isOutage(error)) return problem('unavailable', { cause: error, retryAfter: 5 })
  if (error instanceof InvalidTextError) return problem('invalid_request', { cause: error })
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return problem('invalid_request', { cause: error })
  return problem('internal_error', { cause: error })
}
