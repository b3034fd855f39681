import createError, { type FastifyError } from '@fastify/error'
import { catalogue, type Reason } from '../schemas/problems.js'
import type { ViolationRule } from '../schemas/violations.js'
import type { Fault, OwnRule, ParametersOf } from './violations.js'

export interface ProblemDetails {
  /** The fields that are not valid, and why. */
  faults?: Fault[]
  /** Seconds after which the client may try again. */
  retryAfter?: number
  /** The code was right, but has been used: no guess, and not counted as one. */
  wasUsed?: boolean
  /** Further fields of `data`. */
  data?: Record<string, unknown>
  /** The internal cause: logged, never sent. */
  cause?: unknown
}

/** A refusal from the error catalogue. `code` is the reason, `statusCode` the HTTP status. */
export interface Problem extends FastifyError {
  code: Reason
  details: ProblemDetails
}

const constructors = new Map<Reason, ReturnType<typeof createError>>()
const constructorOf = (reason: Reason) => {
  const known = constructors.get(reason)
  if (known) return known
  const made = createError(reason, catalogue[reason].en, catalogue[reason].status)
  constructors.set(reason, made)
  return made
}

/** Creates the error to throw for `reason`. */
export const problem = (reason: Reason, details: ProblemDetails = {}): Problem =>
  Object.assign(new (constructorOf(reason))(), { code: reason, details })

export const isProblem = (error: unknown): error is Problem =>
  error instanceof Error && 'details' in error && 'code' in error && (error.code as string) in catalogue

/** `invalid_request` about one field. */
export const invalidField = <Rule extends ViolationRule | OwnRule>(
  field: string,
  rule: Rule,
  // Without a parameter that its text names, the message would have an empty place.
  ...[parameters]: object extends ParametersOf<Rule> ? [parameters?: object] : [parameters: ParametersOf<Rule>]
): Problem => problem('invalid_request', { faults: [{ field, rule, parameters: { ...parameters } }] })

/** Lets the faults of `work` name the fields of the request. */
export const renamingFields = async <T>(work: Promise<T>, rename: (field: string) => string): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!isProblem(error) || !error.details.faults) throw error
    const faults = error.details.faults.map((fault) => ({ ...fault, field: rename(fault.field) }))
    throw problem(error.code, { ...error.details, faults })
  }
}
