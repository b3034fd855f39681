import { catalogue, type Reason } from '../../../schemas/problems.js'

export interface RoutePolicy {
  access?: string
  limit?: string
  /** Reasons with which the handler may refuse. */
  errors?: Reason[]
  /** Whether users who must change their password first are refused. */
  requiresPasswordChange: boolean
  hasBody: boolean
  hasInput: boolean
}

const sessionReasons: Reason[] = [
  'token_missing',
  'token_invalid',
  'token_expired',
  'session_replaced',
  'session_revoked',
  'session_expired',
]

/** All reasons with which a route of this policy may refuse. */
const reasonsOf = ({
  access = 'open',
  limit,
  errors = [],
  requiresPasswordChange,
  hasBody,
  hasInput,
}: RoutePolicy): Set<Reason> =>
  new Set<Reason>([
    ...(hasInput ? (['invalid_request'] as const) : []),
    ...errors,
    ...(access === 'open' ? [] : sessionReasons),
    ...(requiresPasswordChange ? (['password_change_required'] as const) : []),
    ...(access.includes(':') ? (['permission_denied'] as const) : []),
    ...(hasBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(limit ? (['too_many_requests'] as const) : []),
    'internal_error',
    'unavailable',
  ])

const example = (reason: Reason) => {
  const { status, en } = catalogue[reason]
  return { code: status, message: en, data: { reason }, timestamp: 1770000000000 }
}

/** The error responses of a route for the OpenAPI document, by status, with an example for each reason. */
export const errorAnswers = (policy: RoutePolicy): Record<string, object> => {
  const reasons = [...reasonsOf(policy)]
  const statuses = [...new Set(reasons.map((reason) => catalogue[reason].status))].sort((one, other) => one - other)
  return Object.fromEntries(
    statuses.map((status) => {
      const possible = reasons.filter((reason) => catalogue[reason].status === status)
      return [
        status,
        {
          description: possible.map((reason) => `\`${reason}\`: ${catalogue[reason].en}`).join('\n\n'),
          content: {
            'application/json': {
              schema: { $ref: 'Problem#' },
              examples: Object.fromEntries(possible.map((reason) => [reason, { value: example(reason) }])),
            },
          },
        },
      ]
    }),
  )
}
