import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { root } from '../processes/project.js'
import { expectProblem } from './expect.js'
import { codeAt, firstStep, stepLength } from './factors.js'
import type { Plain } from './open-data.js'
import { startServer, type TestServer } from './server.js'

/** An app that is being set up. */
export interface Pending {
  key: string
  secret: string
}

interface Facts {
  codeAt: number
  tokens: { admin: string }
  factors: {
    /** Has an app, recovery codes, and a browser that is trusted. */
    tina: {
      secret: string
      recoveryCodes: string[]
      usedRecoveryCode: string
      /** Of the session in which she has trusted the browser, and of one that has started without a second step there. */
      token: string
      tokenOfTrusted: string
      trustedBrowser: string
      cookieBeforeFactor: string
      ticket: string
    }
    /** Has a role that requires a factor, and is asked to set one up. */
    ruth: { ticket: string; pending: Pending }
    /** Has a page session, and no factor. */
    paula: { token: string; pageCookie: string; deviceCookie: string; pending: Pending }
    /** Had ten wrong codes in a known browser, and ten elsewhere. */
    walt: { secret: string; knownBrowser: string }
    downloadTicket: string
  }
}

const data = join(root, 'test/fixtures/data-0.3.0')
/** What people of version 0.3.0 have in hand. */
export const facts = JSON.parse(readFileSync(join(data, 'facts.json'), 'utf8')) as Facts

/** Starts this version on a data directory that version 0.3.0 left. */
export const startUpgraded = (t: Test, settings: Plain = {}) =>
  startServer(t, { data, time: facts.codeAt, settings, environment: { TRUST_PROXY: '127.0.0.1' } })
export const byHttps = { 'x-forwarded-proto': 'https' }
export const cookie = (pair: string) => ({ cookie: pair })
/** A code that was not used before. */
export const nextCode = (server: TestServer, secret: string): string => {
  server.clock.advance(stepLength)
  return codeAt(secret, server.clock.now())
}
/** The ticket of a sign-in whose second step is asked for. */
export const ticketOf = async (t: Test, server: TestServer, username: string, headers: Record<string, string> = {}) => {
  const answer = await firstStep(server, username, { headers })
  expectProblem(t, answer, 'second_factor_required')
  return answer.body.data.ticket as string
}
