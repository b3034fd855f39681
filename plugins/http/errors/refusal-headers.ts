import type { Reason } from '../../../schemas/problems.js'
import type { Problem } from '../../../lib/problem.js'

/** RFC 6750 3.1: the answer to a request without a token contains no error code. */
const challenge = (reason: Reason): string =>
  reason === 'token_missing'
    ? 'Bearer realm="rollcall"'
    : `Bearer realm="rollcall", error="invalid_token", error_description="${reason}"`

/** The headers of an error response. */
export const refusalHeaders = ({ code, statusCode, details }: Problem): Record<string, string | number> => ({
  ...(statusCode === 401 ? { 'www-authenticate': challenge(code) } : {}),
  ...(details.retryAfter === undefined ? {} : { 'retry-after': Math.ceil(details.retryAfter) }),
})
