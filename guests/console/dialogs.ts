import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Violation } from '../../schemas/envelope.js'
import type { Reason } from '../../schemas/problems.js'
import { languageOf } from '../../lib/language.js'
import { invalidField } from '../../lib/problem.js'
import { describe } from './labels.js'
import { rules } from './rules.js'
import { inItsWords } from './words.js'
import type { SecondFactor } from './second-factor.js'

interface ErrorBody {
  message: string
  data: { reason?: Reason; violations?: Violation[] } | null
}

/** Translates a refusal: the payload of an answer whose status is 400 or more. */
export type Speak = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown

/** Operations whose `id` is not that of a user, and the field whose label it has. */
const meaningOfId: Record<string, string> = { compatGetLogin: 'loginId' }

/** Refusals without a violation, by the operation: a form that asks for one password knows no user name. */
const meanings: Partial<Record<string, Partial<Record<Reason, { en: string; zh: string }>>>> = {
  changePassword: { invalid_credentials: { en: 'The current password is wrong', zh: '旧密码错误' } },
}

/**
 * The front end shows `message` of a refusal in a dialog and nothing else, so it says what is wrong in the words of the form:
 * `Password must have at least 8 characters`.
 */
export const createSpeak =
  (secondFactor: Pick<SecondFactor, 'textOf'>, administers: (request: FastifyRequest) => boolean): Speak =>
  (request, _reply, payload) => {
    const body = payload as ErrorBody
    const { reason, violations = [] } = body.data ?? {}
    const operationId = request.routeOptions.schema?.operationId ?? ''
    const language = languageOf(request)
    if (violations.length > 0) {
      const idField = meaningOfId[operationId] ?? 'id'
      const named = violations.map((one) => (one.field === 'id' ? { ...one, field: idField } : one))
      return { ...body, message: describe(named, language) }
    }
    const text =
      secondFactor.textOf(reason, request.caller, administers(request)) ?? (reason && meanings[operationId]?.[reason])
    return { ...body, message: text ? text[language] : inItsWords(body.message) }
  }

/** Bodies that a relative of this front end encrypts (SM4). Their fields would count as absent, and most may be. */
const isEncrypted = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'algorithm' in body && 'data' in body && typeof body.data === 'string'

export const refuseEncrypted: preValidationHookHandler = ({ body }, _reply, next) =>
  next(isEncrypted(body) ? invalidField('body', rules.encrypted) : undefined)
