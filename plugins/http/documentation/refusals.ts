import { catalogue, reasons as allReasons, type Reason } from '../../../schemas/problems.js'
import { Problem } from '../../../schemas/envelope.js'
import { ref } from '../../../schemas/ref.js'
import { refer } from './document.js'
import { headersOf } from './headers.js'

export interface RoutePolicy {
  access: string
  limit?: string
  /** Reasons with which the handler may refuse. */
  errors: Reason[]
  /** Whether users who must change their password first are refused. */
  requiresPasswordChange: boolean
  /** Whether the setting `secondFactor.administration` can demand a second factor on this route. */
  isAdministration: boolean
  /** Whether API tokens may call it. */
  tokens: boolean
  hasBody: boolean
  hasInput: boolean
}

export const sessionReasons: Reason[] = [
  'token_missing',
  'token_invalid',
  'token_expired',
  'session_replaced',
  'session_revoked',
  'session_expired',
]

/** Where API tokens may call as well. */
export const bearerReasons: Reason[] = [...sessionReasons, 'token_ended']

/** All reasons with which a route of this policy may refuse, in the order of the catalogue. */
const reasonsOf = ({
  access,
  limit,
  errors,
  requiresPasswordChange,
  isAdministration,
  tokens,
  hasBody,
  hasInput,
}: RoutePolicy): Reason[] => {
  const possible = new Set<Reason>([
    ...(hasInput ? (['invalid_request'] as const) : []),
    ...errors,
    ...(access === 'open' ? [] : [...(tokens ? bearerReasons : sessionReasons), 'token_not_allowed' as const]),
    // Of an address that sends tokens that nobody has.
    ...(access !== 'open' && tokens ? (['too_many_attempts'] as const) : []),
    ...(requiresPasswordChange ? (['password_change_required'] as const) : []),
    ...(isAdministration ? (['step_up_required'] as const) : []),
    ...(access.includes(':') ? (['permission_denied'] as const) : []),
    ...(hasBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(limit ? (['too_many_requests'] as const) : []),
    'request_timeout',
    'headers_too_large',
    'internal_error',
    'unavailable',
  ])
  return allReasons.filter((reason) => possible.has(reason))
}

const refusal = (reasons: Reason[]) => ({
  description: reasons.map((reason) => `\`${reason}\`: ${catalogue[reason].en}`).join('\n\n'),
  content: {
    'application/json': {
      schema: ref(Problem),
      examples: Object.fromEntries(reasons.map((reason) => [reason, refer('examples', reason)])),
    },
  },
})

/** The refusals of a route by status, in the form in which a route declares its answers. */
export const refusalsOf = (policy: RoutePolicy): Record<string, object> => {
  const byStatus = Map.groupBy(reasonsOf(policy), (reason) => catalogue[reason].status)
  return Object.fromEntries(
    [...byStatus].map(([status, reasons]) => [
      status,
      { ...refusal(reasons), headers: headersOf(status, policy.limit !== undefined) },
    ]),
  )
}
