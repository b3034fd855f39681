import type { Violation } from '../../../schemas/envelope.js'
import { catalogue, type Language, type Reason } from '../../../schemas/problems.js'
import type { ProblemDetails } from '../../../lib/problem.js'
import { toViolations } from '../../../lib/violations.js'

/** A field that is all that was sent: people know it by this name, and need not hear of a request. */
const subjects: Partial<Record<string, Record<Language, string>>> = { file: { en: 'The file ', zh: '文件' } }

/** The text of the reason and the first violation, because many front ends show only `message`. */
const messageOf = (reason: Reason, language: Language, [first]: Violation[]): string => {
  const text = catalogue[reason][language]
  if (!first) return text
  const subject = subjects[first.field]
  if (subject) return `${subject[language]}${first.message}`
  return `${text}${language === 'zh' ? '：' : ': '}${first.field} ${first.message}`
}

/** The body of an error answer (interface 7). `now` is epoch milliseconds. */
export const errorEnvelope = (
  reason: Reason,
  language: Language,
  now: number,
  { faults, data }: Pick<ProblemDetails, 'faults' | 'data'> = {},
) => {
  const violations = toViolations(faults ?? [], language)
  return {
    code: catalogue[reason].status,
    message: messageOf(reason, language, violations),
    data: { reason, ...data, ...(faults ? { violations } : {}) },
    timestamp: now,
  }
}
