import type { preSerializationAsyncHookHandler, preValidationHookHandler } from 'fastify'
import type { Violation } from '../schemas/envelope.js'
import { languageOf } from '../lib/language.js'
import { invalidField } from '../lib/problem.js'
import { describe } from './labels.js'
import { rules } from './rules.js'

interface ErrorBody {
  message: string
  data: { violations?: Violation[] } | null
}

/**
 * The front end shows `message` of a refusal in a dialog and nothing else, so it says what is wrong in the words of the form:
 * `Password must have at least 8 characters`.
 */
export const speakToPeople: preSerializationAsyncHookHandler = async (request, reply, payload) => {
  const body = payload as ErrorBody
  const violations = reply.statusCode >= 400 ? (body.data?.violations ?? []) : []
  if (violations.length === 0) return payload
  const idField = meaningOfId[request.routeOptions.schema?.operationId ?? ''] ?? 'id'
  const named = violations.map((one) => (one.field === 'id' ? { ...one, field: idField } : one))
  return { ...body, message: describe(named, languageOf(request)) }
}

/** Operations whose `id` is not that of a user, and the field whose label it has. */
const meaningOfId: Record<string, string> = { compatGetLogin: 'loginId' }

/** Bodies that a relative of this front end encrypts (SM4). Their fields would count as absent, and most may be. */
const isEncrypted = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'algorithm' in body && 'data' in body && typeof body.data === 'string'

export const refuseEncrypted: preValidationHookHandler = ({ body }, _reply, next) =>
  next(isEncrypted(body) ? invalidField('body', rules.encrypted) : undefined)
