import type { CallOptions } from '../helpers/service/server.js'
import { Refused, tokenIs, userIs, type Client, type Facts } from './crash-facts.js'

export interface Desk {
  server: Client
  facts: Facts
  /** Of an administrator. */
  token: string
  /** A number that no other call gets. */
  next: () => number
}

export const password = 'plain green teapot'

/** Asks for what changes nothing that is looked up; resolves to the data of the answer, also that of a sign-in without a second step. */
export const ask = async ({ server }: Desk, path: string, options: CallOptions): Promise<any> => {
  const { status, text, body } = await server.call('POST', path, options)
  if (status !== 200 && !body.data?.ticket) throw new Refused(`${path}: ${text}`)
  return body.data
}

/** Somebody who registers, so that no new password is asked for. */
export const join = async ({ server, facts, next }: Desk) => {
  const number = next()
  const username = `joined-${number}`
  const phone = `138${String(number).padStart(8, '0')}`
  const sent = await server.call('POST', '/auth/register/code', { json: { recipient: phone } })
  const { code, codeKey } = sent.body.data
  const json = { username, password, phone, code, codeKey }
  const send = () => server.call('POST', '/auth/register', { json })
  // Who signs in then, and how, is for the caller to say.
  const { userId } = await facts.write(`user ${username}`, send, ({ userId: id }) => userIs(id, { username, phone }))
  return { username, id: userId as number }
}

export const signIn = ({ server, facts }: Desk, username: string, key: string, text = password): Promise<any> =>
  facts.write(
    key,
    () => server.call('POST', '/auth/login', { json: { username, password: text } }),
    ({ accessToken }) => tokenIs(accessToken, 200),
  )
