import type { Reason } from '../../../schemas/problems.js'
import type { Problem } from '../../../lib/problem.js'

const challenge = (reason: Reason): string => {
  // RFC 6749 5.2: the scheme that the client should have used.
  if (reason === 'invalid_client') return 'Basic realm="rollcall"'
  // RFC 6750 3.1: the answer to a request without a token contains no error code.
  if (reason === 'token_missing') return 'Bearer realm="rollcall"'
  return `Bearer realm="rollcall", error="invalid_token", error_description="${reason}"`
}

/** The headers of an error response. */
export const refusalHeaders = ({ code, statusCode, details }: Problem): Record<string, string | number> => ({
  ...(statusCode === 401 ? { 'www-authenticate': challenge(code) } : {}),
  ...(details.retryAfter === undefined ? {} : { 'retry-after': Math.ceil(details.retryAfter) }),
  // The rest of the request is still to come.
  ...(code === 'request_timeout' ? { connection: 'close' } : {}),
})
