import { answerHeaders, type AnswerHeader } from './answer-headers.js'
import { operationsOf, refer, type Document, type DocumentedAnswer } from './document.js'

const ofRateLimits: AnswerHeader[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

const ofStatus: Record<string, AnswerHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Adds the headers to all answers: those of the status, of the rate limit, and what the route sets on success. */
export const addHeaders = (document: Document): void => {
  const { responses = {} } = document.components
  const describe = (answer: DocumentedAnswer, names: AnswerHeader[]) => {
    const all: AnswerHeader[] = ['X-Request-Id', ...names]
    // An answer that operations share has the headers of all of them.
    answer.headers = { ...answer.headers, ...Object.fromEntries(all.map((name) => [name, refer('headers', name)])) }
  }
  for (const operation of operationsOf(document)) {
    const { 'x-headers': own = [], 'x-limited': isLimited = false } = operation
    delete operation['x-headers']
    delete operation['x-limited']
    for (const [status, answer] of Object.entries(operation.responses)) {
      const shared = '$ref' in answer ? responses[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)] : undefined
      const documented = shared ?? (answer as DocumentedAnswer)
      const ofAnswer = status === '200' ? own : (ofStatus[status] ?? [])
      describe(documented, [...ofAnswer, ...(isLimited ? ofRateLimits : [])])
    }
  }
  Object.assign(document.components, { headers: answerHeaders })
}
