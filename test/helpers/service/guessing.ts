import type { Test } from 'tap'
import { cookiesOf, firstStep, secondStep, type App, type ClockedServer } from './factors.js'
import { expectProblem, expectSuccess } from './expect.js'
import type { Answer } from './server.js'

/** Longer than any pause after wrong codes of apps, and than the window in which they are counted. Seconds. */
export const longPause = 3601

/** Wrong codes before a pause. */
const beforePause = 10
/** Wrong codes that one ticket allows. */
const ofTicket = 5

/** What somebody does who knows the password of `alice`, and what she does. */
export const createGuessing = (server: ClockedServer, app: App, username = 'alice') => {
  const ticketFor = async (headers: Record<string, string>): Promise<string> => {
    const first = await firstStep(server, username, { headers })
    const { ticket } = first.body.data
    if (typeof ticket !== 'string') throw new Error(`there is no ticket: ${first.text}`)
    return ticket
  }
  /** Sends a code with a new ticket. */
  const answerWith = async (json: object, headers: Record<string, string> = {}): Promise<Answer> =>
    secondStep(server, { ticket: await ticketFor(headers), code: '000000', ...json }, headers)
  const wrong = (headers: Record<string, string> = {}) => answerWith({}, headers)
  const right = (headers: Record<string, string> = {}) => answerWith({ code: app.nextCode() }, headers)

  return {
    answerWith,
    wrong,
    right,

    /** Signs in with a right code in a browser without cookies; resolves to those that it has then. */
    browserWithFactor: async (t: Test): Promise<Record<string, string>> => {
      const answer = await right()
      expectSuccess(t, answer)
      return { cookie: cookiesOf(answer) }
    },

    /** Enters so many wrong codes, and waits whenever there is a pause. */
    guess: async (t: Test, count: number, headers: Record<string, string> = {}): Promise<void> => {
      let ticket = ''
      for (let tries = 0; tries < count; tries++) {
        if (tries > 0 && tries % beforePause === 0) server.clock.advance(longPause)
        if (tries % ofTicket === 0) ticket = await ticketFor(headers)
        expectProblem(t, await secondStep(server, { ticket, code: '000000' }, headers), 'invalid_code')
      }
    },
  }
}
