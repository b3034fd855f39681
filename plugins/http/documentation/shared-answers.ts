import { catalogue, reasons as allReasons, type Reason } from '../../../schemas/problems.js'
import { operationsOf, refer, type Document, type DocumentedAnswer } from './document.js'
import { headers } from './headers.js'
import { bearerReasons, sessionReasons } from './refusals.js'

/** Names for refusals of several reasons that many routes share. One with a single reason is named after it. */
const namedRefusals: [name: string, reasons: Reason[]][] = [
  ['Unauthorized', bearerReasons],
  ['UnauthorizedSession', sessionReasons],
  ['Forbidden', ['permission_denied', 'password_change_required', 'step_up_required', 'token_not_allowed']],
  [
    'ForbiddenForOwnAccount',
    ['permission_denied', 'password_change_required', 'own_account', 'step_up_required', 'token_not_allowed'],
  ],
  ['ForbiddenForTokens', ['password_change_required', 'token_not_allowed']],
  [
    'ReauthenticationRequired',
    ['password_change_required', 'fresh_sign_in_required', 'step_up_required', 'token_not_allowed'],
  ],
  ['TooManyAttemptsOrRequests', ['too_many_attempts', 'too_many_requests']],
]

const pascalCase = (reason: Reason): string =>
  reason.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name of the component for a refusal with these reasons; undefined if few routes refuse so. */
const nameOfRefusal = (reasons: Reason[]): string | undefined => {
  const [only] = reasons
  if (reasons.length === 1 && only) return pascalCase(only)
  const isSame = (others: Reason[]) => others.length === reasons.length && others.every((one) => reasons.includes(one))
  return namedRefusals.find(([, others]) => isSame(others))?.[0]
}

const example = (reason: Reason) => {
  const { status, en } = catalogue[reason]
  return { value: { code: status, message: en, data: { reason }, timestamp: 1770000000000 } }
}

/** Makes headers, examples of refusals and the refusals that operations share components: routes cannot refer to those. */
export const shareAnswers = (document: Document): void => {
  const responses: Record<string, DocumentedAnswer> = {}
  const used = new Set<Reason>()
  for (const operation of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if ('$ref' in answer) continue
      const { headers: own = {}, ...rest } = answer
      const references = Object.fromEntries(Object.keys(own).map((name) => [name, refer('headers', name)]))
      const reasons =
        status === '200' ? [] : (Object.keys(answer.content?.['application/json']?.examples ?? {}) as Reason[])
      for (const reason of reasons) used.add(reason)
      const name = nameOfRefusal(reasons)
      if (name === undefined) {
        operation.responses[status] = { ...rest, headers: references }
        continue
      }
      // It has the headers of all operations that share it.
      responses[name] = { ...rest, headers: { ...responses[name]?.headers, ...references } }
      operation.responses[status] = refer('responses', name)
    }
  }
  const examples = allReasons.filter((reason) => used.has(reason)).map((reason) => [reason, example(reason)] as const)
  Object.assign(document.components, { responses, examples: Object.fromEntries(examples), headers })
}
