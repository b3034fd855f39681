import type { preValidationHookHandler } from 'fastify'
import { invalidField } from '../../../lib/problem.js'

/** Fields of a form or a query, with each repetition; no request of this API has half as many. */
const limit = 100

const hasTooMany = (fields: object): boolean => {
  let count = 0
  for (const value of Object.values(fields)) {
    count += Array.isArray(value) ? value.length : 1
    if (count > limit) return true
  }
  return false
}

const formType = 'application/x-www-form-urlencoded'

/** Refuses queries and forms of too many fields. Those of a JSON body need no limit: fields without a schema are not read. */
export const checkFieldCount: preValidationHookHandler = ({ query, body, headers }, _reply, next) => {
  if (hasTooMany(query as object)) next(invalidField('query', 'max_fields', { limit }))
  else if (
    typeof body === 'object' &&
    body !== null &&
    headers['content-type']?.toLowerCase().startsWith(formType) &&
    hasTooMany(body)
  )
    next(invalidField('body', 'max_fields', { limit }))
  else next()
}
