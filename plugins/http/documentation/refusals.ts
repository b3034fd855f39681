import { catalogue, reasons as allReasons, type Reason } from '../../../schemas/problems.js'
import { operationsOf, refer, type Document, type DocumentedAnswer, type Reference } from './document.js'

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

/** Names for refusals of several reasons that many routes share. One with a single reason is named after it. */
const namedRefusals: [name: string, reasons: Reason[]][] = [
  ['Unauthorized', sessionReasons],
  ['Forbidden', ['permission_denied', 'password_change_required']],
  ['ForbiddenForOwnAccount', ['permission_denied', 'password_change_required', 'own_account']],
  ['TooManyAttemptsOrRequests', ['too_many_attempts', 'too_many_requests']],
]

/** All reasons with which a route of this policy may refuse, in the order of the catalogue. */
export const reasonsOf = ({
  access = 'open',
  limit,
  errors = [],
  requiresPasswordChange,
  hasBody,
  hasInput,
}: RoutePolicy): Reason[] => {
  const possible = new Set<Reason>([
    ...(hasInput ? (['invalid_request'] as const) : []),
    ...errors,
    ...(access === 'open' ? [] : sessionReasons),
    ...(requiresPasswordChange ? (['password_change_required'] as const) : []),
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

const pascalCase = (reason: Reason): string =>
  reason.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name of the component for a refusal with these reasons; undefined if few routes refuse so. */
const nameOfRefusal = (reasons: Reason[]): string | undefined => {
  const [only] = reasons
  if (reasons.length === 1 && only) return pascalCase(only)
  const isSame = (others: Reason[]) => others.length === reasons.length && others.every((one) => reasons.includes(one))
  return namedRefusals.find(([, others]) => isSame(others))?.[0]
}

const refusal = (reasons: Reason[]): DocumentedAnswer => ({
  description: reasons.map((reason) => `\`${reason}\`: ${catalogue[reason].en}`).join('\n\n'),
  content: {
    'application/json': {
      schema: { ...refer('schemas', 'Problem') },
      examples: Object.fromEntries(reasons.map((reason) => [reason, refer('examples', reason)])),
    },
  },
})

const example = (reason: Reason) => {
  const { status, en } = catalogue[reason]
  return { value: { code: status, message: en, data: { reason }, timestamp: 1770000000000 } }
}

/** Adds the error answers to each operation. Answers and examples that several operations share are components. */
export const addRefusals = (document: Document): void => {
  const responses: Record<string, DocumentedAnswer> = {}
  const used = new Set<Reason>()
  const answerFor = (reasons: Reason[]): DocumentedAnswer | Reference => {
    for (const reason of reasons) used.add(reason)
    const name = nameOfRefusal(reasons)
    if (name === undefined) return refusal(reasons)
    responses[name] ??= refusal(reasons)
    return refer('responses', name)
  }
  for (const operation of operationsOf(document)) {
    const reasons = operation['x-reasons'] ?? []
    delete operation['x-reasons']
    const statuses = new Set(reasons.map((reason) => catalogue[reason].status))
    for (const status of [...statuses].sort((one, other) => one - other))
      operation.responses[status] = answerFor(reasons.filter((reason) => catalogue[reason].status === status))
  }
  const examples = allReasons.filter((reason) => used.has(reason)).map((reason) => [reason, example(reason)] as const)
  Object.assign(document.components, { responses, examples: Object.fromEntries(examples) })
}
