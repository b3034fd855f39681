import type { Reason } from '../../../schemas/problems.js'
import type { Problem } from '../../../lib/problem.js'

const challenge = (reason: Reason): string => {
  // RFC 6749 5.2: the scheme that the client should have used.
  if (reason === 'invalid_client') return 'Basic realm="rollcall"'
  // RFC 6750 3.1: the answer to a request without a token contains no error code.
  if (reason === 'token_missing') return 'Bearer realm="rollcall"'
  return `Bearer realm="rollcall", error="invalid_token", error_description="${reason}"`
}

/** RFC 9470 3: the session is good, but not good enough. */
const stepUpChallenge = ({ acr, maxAge }: Record<string, unknown> = {}): string =>
  `Bearer realm="rollcall", error="insufficient_user_authentication", acr_values="${String(acr)}", max_age="${String(maxAge)}"`

/** The headers of an error response. */
export const refusalHeaders = ({ code, statusCode, details }: Problem): Record<string, string | number> => ({
  ...(statusCode === 401 ? { 'www-authenticate': challenge(code) } : {}),
  ...(code === 'step_up_required' ? { 'www-authenticate': stepUpChallenge(details.data) } : {}),
  ...(details.retryAfter === undefined ? {} : { 'retry-after': Math.ceil(details.retryAfter) }),
  // The rest of the request is still to come.
  ...(code === 'request_timeout' ? { connection: 'close' } : {}),
})
