import type { Test } from 'tap'
import type { Factor } from '../../../schemas/factors.js'
import {
  createAuthenticator,
  type Authenticator,
  type Deviation,
  type RequestOptions,
} from '../../../bench/authenticator.js'
import { expectSuccess } from './expect.js'
import type { Answer, TestServer } from './server.js'

/** Where the pages of a server without `publicUrl` are: an IP address cannot have passkeys. */
export const pageOrigin = ({ origin }: Pick<TestServer, 'origin'>): string => origin.replace('127.0.0.1', 'localhost')

export const authenticatorOf = (server: Pick<TestServer, 'origin'>, usual: Deviation = {}): Authenticator =>
  createAuthenticator(pageOrigin(server), usual)

interface Enrolment {
  token?: string
  ticket?: string
  name?: string
  id?: Buffer
  deviation?: Deviation
}

/** Makes a passkey and sends it; the answer may be a refusal. */
export const sendPasskey = async (
  t: Test,
  server: Pick<TestServer, 'call'>,
  authenticator: Authenticator,
  { token, ticket, name, id, deviation }: Enrolment,
): Promise<Answer> => {
  const by = { ...(token === undefined ? {} : { token }) }
  const json = { ...(ticket === undefined ? {} : { ticket }) }
  const begun = await server.call('POST', '/auth/factors/passkey/options', { ...by, json })
  const options = expectSuccess(t, begun)
  const credential = authenticator.create(options, { ...deviation, ...(id === undefined ? {} : { id }) })
  return server.call('POST', '/auth/factors/passkey', {
    ...by,
    json: { ...json, credential, ...(name === undefined ? {} : { name }) },
  })
}

/** A new passkey of a signed-in user. */
export const addPasskey = async (
  t: Test,
  server: Pick<TestServer, 'call'>,
  authenticator: Authenticator,
  enrolment: Enrolment,
): Promise<{ factor: Factor; recoveryCodes?: string[] }> =>
  expectSuccess(t, await sendPasskey(t, server, authenticator, enrolment))

/** The options for a sign-in without a name, for a ticket, or for a session. */
export const requestOptions = async (
  t: Test,
  server: Pick<TestServer, 'call'>,
  { ticket, token }: { ticket?: string; token?: string } = {},
): Promise<RequestOptions & { userVerification: string }> =>
  expectSuccess(
    t,
    await server.call('POST', '/auth/passkey/options', {
      json: ticket === undefined ? {} : { ticket },
      ...(token === undefined ? {} : { token }),
    }),
  )

export const sendCredential = (
  server: Pick<TestServer, 'call'>,
  credential: unknown,
  more: object = {},
): Promise<Answer> => server.call('POST', '/auth/login', { json: { authType: 'passkey', credential, ...more } })

/** Signs in by the passkey alone; the answer may be a refusal. */
export const passkeySignIn = async (
  t: Test,
  server: Pick<TestServer, 'call'>,
  authenticator: Authenticator,
  deviation: Deviation = {},
): Promise<Answer> => sendCredential(server, authenticator.get(await requestOptions(t, server), deviation))
