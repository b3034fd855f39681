import { catalogue, type Language, type Reason } from '../../schemas/problems.js'
import { toViolations, type Fault } from './violations.js'

/** The body of an error answer (interface 7). `now` is epoch milliseconds. */
export const errorEnvelope = (reason: Reason, language: Language, now: number, faults?: Fault[]) => ({
  code: catalogue[reason].status,
  message: catalogue[reason][language],
  data: { reason, ...(faults ? { violations: toViolations(faults, language) } : {}) },
  timestamp: now,
})
