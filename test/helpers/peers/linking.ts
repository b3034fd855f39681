import type { Test } from 'tap'
import type { LinkedIdentity } from '../../../schemas/social.js'
import { expectSuccess } from '../service/expect.js'
import { startFederation, type Place } from './federation.js'
import { userPassword } from '../service/server.js'

type Options = Parameters<typeof startFederation>[1]

/** A server and providers, and what people do to link their identities there. */
export const startLinking = async (t: Test, options: Options = { federation: { unknownIdentity: 'refuse' } }) => {
  const all = await startFederation(t, options)
  const { server, ticketOf, signIn } = all
  const link = (token: string, socialTicket: string, headers: Record<string, string> = {}, password?: string) =>
    server.call<LinkedIdentity>('POST', '/social/bind', { token, json: { socialTicket, password }, headers })
  return {
    ...all,
    link,
    /** Adds a user and signs in by password. */
    join: async (username: string, place: Place = {}): Promise<string> => {
      await server.addUser(username, place.tenantId === undefined ? {} : { tenantId: place.tenantId })
      return (await server.signIn(username, userPassword, { ...place })).accessToken
    },
    /** Links an identity in the session of `token`, from the beginning on. */
    linkIdentity: async (token: string, subject = 'alice', place: Place = {}) =>
      link(token, await ticketOf(subject, 'corporate', { ...place, token })),
    list: async (token: string) =>
      expectSuccess(t, await server.call<LinkedIdentity[]>('GET', '/social/bind', { token })),
    unlink: (token: string, id: number | string) => server.call('DELETE', `/social/bind/${id}`, { token }),
    enter: async (subject = 'alice', platform = 'corporate', place: Place = {}) =>
      signIn({ authType: 'social', socialTicket: await ticketOf(subject, platform, place), ...place }),
  }
}
