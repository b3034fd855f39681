import { Secret, TOTP } from 'otpauth'
import type { Test } from 'tap'
import { expectSuccess } from './expect.js'
import type { TestClock } from '../values/clock.js'
import { userPassword, type Answer, type TestServer } from './server.js'

/** What an authenticator app shows for a secret at a time, epoch milliseconds. */
export const codeAt = (secret: string, time: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: time,
  })

export const stepLength = 30

/** A server, of this process or another one, and the clock by which it lives. */
export type ClockedServer = Pick<TestServer, 'call'> & { clock: Pick<TestClock, 'now' | 'advance'> }

/** An authenticator app of a signed-in user. */
export interface App {
  id: string
  secret: string
  recoveryCodes: string[]
  /** A code that was not used before: the clock goes on by one step. */
  nextCode: () => string
}

/** Sets up an authenticator app with the token of a fresh session. */
export const enrol = async (
  t: Test,
  server: ClockedServer,
  token: string,
  { name, headers = {} }: { name?: string; headers?: Record<string, string> } = {},
): Promise<App> => {
  const begun = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {}, headers }))
  const code = codeAt(begun.secret, server.clock.now())
  const json = { key: begun.key, code, ...(name === undefined ? {} : { name }) }
  const done = expectSuccess(t, await server.call('POST', '/auth/factors/totp/confirm', { token, json, headers }))
  return {
    id: done.factor.id,
    secret: begun.secret,
    recoveryCodes: done.recoveryCodes ?? [],
    nextCode: () => {
      server.clock.advance(stepLength)
      return codeAt(begun.secret, server.clock.now())
    },
  }
}

export const firstStep = (
  server: Pick<TestServer, 'call'>,
  username: string,
  options: { headers?: Record<string, string>; json?: object } = {},
): Promise<Answer> =>
  server.call('POST', '/auth/login', {
    json: { username, password: userPassword, ...options.json },
    headers: options.headers ?? {},
  })

export const secondStep = (
  server: Pick<TestServer, 'call'>,
  json: { authType?: string; ticket: string; code: string; trustDevice?: boolean },
  headers: Record<string, string> = {},
): Promise<Answer> => server.call('POST', '/auth/login', { json: { authType: 'totp', ...json }, headers })

/** Signs in by password and app. */
export const signInTwice = async (t: Test, server: TestServer, username: string, app: App): Promise<string> => {
  const { ticket } = (await firstStep(server, username)).body.data
  const result = expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  return result.accessToken
}

/** The cookies that an answer sets, to be sent back. */
export const cookiesOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ')

/** As if the user had proved a second factor in each of its sessions just now. */
export const proveInSessions = async (
  { app: { db }, clock }: Pick<TestServer, 'app' | 'clock'>,
  userId = 1,
): Promise<void> => {
  const now = clock.now()
  const proved = { acr: 'aal2', amr: ['pwd', 'otp', 'mfa'], authTime: now, factorTime: now } as const
  for (const { id } of await db.sessions.live(userId, now))
    await db.sessions.setAuthentication(id, { ...proved, amr: [...proved.amr] })
}
