import { catalogue, type Reason } from '../../../schemas/problems.js'

export interface RoutePolicy {
  access?: string
  limit?: string
  /** What the handler itself may refuse. */
  errors?: Reason[]
  /** Whether whoever must change the password first is refused. */
  passwordFirst: boolean
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

/** Every reason with which a route of this policy may refuse. */
const reasonsOf = ({
  access = 'open',
  limit,
  errors = [],
  passwordFirst,
  hasBody,
  hasInput,
}: RoutePolicy): Set<Reason> =>
  new Set<Reason>([
    ...(hasInput ? (['invalid_request'] as const) : []),
    ...errors,
    ...(access === 'open' ? [] : sessionReasons),
    ...(passwordFirst ? (['password_change_required'] as const) : []),
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

/** The error answers of a route for the OpenAPI document, by status, each with an example for every reason. */
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
