import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { problem } from '../../../lib/problem.js'
import type { PasskeyRequestOptions } from '../../../schemas/passkeys.js'
import type { Factors } from '../second-factor/factors.js'
import type { Passkeys } from '../second-factor/passkeys/passkeys.js'
import type { FactorTickets } from '../second-factor/tickets.js'

interface Collaborators {
  factors: Pick<Factors, 'hasPasskey'>
  passkeys: Pick<Passkeys, 'requestOptions'>
  tickets: Pick<FactorTickets, 'find'>
}

/**
 * What a browser is asked to prove: with a ticket for its account, in a session for its user, otherwise for a sign-in without a name.
 * Throws `invalid_grant` for a ticket, and `unsupported_auth_type` if its account has no passkey, or there are none at all.
 */
export const createPasskeyOptions =
  ({ factors, passkeys, tickets }: Collaborators) =>
  async (
    ticket: string | undefined,
    findCaller: () => Promise<SessionOwner | undefined>,
  ): Promise<PasskeyRequestOptions> => {
    if (ticket !== undefined) {
      const { user } = await tickets.find(ticket, 'finish')
      if (!(await factors.hasPasskey(user))) throw problem('unsupported_auth_type')
      return passkeys.requestOptions({ user, boundTo: ticket })
    }
    const caller = await findCaller()
    if (caller && (await factors.hasPasskey(caller.user)))
      return passkeys.requestOptions({ user: caller.user, boundTo: caller.session.id })
    return passkeys.requestOptions()
  }
