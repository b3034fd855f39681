import type { Test } from 'tap'
import { catalogue, type Reason } from '../../../schemas/problems.js'
import type { Answer } from './server.js'

/** Asserts a refusal: status, reason, the envelope, the fields complained about, and that nothing inner shows. */
export const expectProblem = (t: Test, answer: Answer, reason: Reason, fields?: string[]): void => {
  const { status } = catalogue[reason]
  t.equal(answer.status, status, `HTTP status of ${reason}: ${answer.text}`)
  t.equal(answer.body.data?.reason, reason)
  t.same(Object.keys(answer.body).sort(), ['code', 'data', 'message', 'timestamp'])
  t.equal(answer.body.code, status)
  t.type(answer.body.message, 'string')
  t.match(String(answer.body.timestamp), /^\d{13}$/)
  if (fields) {
    const named = (answer.body.data.violations as { field: string }[]).map(({ field }) => field)
    t.same(named, fields, 'the fields complained about')
  }
  t.notMatch(answer.text, /\bat .*\.(js|ts):\d|node_modules|sqlite|select |insert |stack/i, 'nothing inner shows')
}

/** Asserts a success in the envelope and returns its payload. */
export const expectSuccess = <T>(t: Test, answer: Answer<T>): T => {
  t.equal(answer.status, 200, answer.text)
  t.same(Object.keys(answer.body).sort(), ['code', 'data', 'message', 'timestamp'])
  t.equal(answer.body.code, 200)
  return answer.body.data
}
