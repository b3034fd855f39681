import { catalogue, type Language, type Reason } from '../../schemas/problems.js'
import type { ProblemDetails } from './problem.js'
import { toViolations } from './violations.js'

/** The body of an error answer (interface 7). `now` is epoch milliseconds. */
export const errorEnvelope = (
  reason: Reason,
  language: Language,
  now: number,
  { faults, data }: Pick<ProblemDetails, 'faults' | 'data'> = {},
) => ({
  code: catalogue[reason].status,
  message: catalogue[reason][language],
  data: { reason, ...data, ...(faults ? { violations: toViolations(faults, language) } : {}) },
  timestamp: now,
})
