import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'
import type { PasskeyRequestOptions } from '../../../schemas/passkeys.js'

/**
 * What a browser is asked to prove: with a ticket for its account, in a session for its user, otherwise for a sign-in without a name.
 * Throws `invalid_grant` for a ticket, and `unsupported_auth_type` if its account has no passkey, or there are none at all.
 */
export const createPasskeyOptions =
  ({ secondFactor }: Needs<'secondFactor'>) =>
  async (
    ticket: string | undefined,
    findCaller: () => Promise<SessionOwner | undefined>,
  ): Promise<PasskeyRequestOptions> => {
    if (ticket !== undefined) {
      const { user } = await secondFactor.tickets.find(ticket, 'finish')
      if (!(await secondFactor.hasPasskey(user))) throw problem('unsupported_auth_type')
      return secondFactor.passkeys.requestOptions({ user, boundTo: ticket })
    }
    const caller = await findCaller()
    if (caller && (await secondFactor.hasPasskey(caller.user)))
      return secondFactor.passkeys.requestOptions({ user: caller.user, boundTo: caller.session.id })
    return secondFactor.passkeys.requestOptions()
  }
