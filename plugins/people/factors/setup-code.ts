import type { SetupCodeRequest, SetupCodeSent } from '../../../schemas/factors.js'
import type { SetupCodes } from '../../identity/codes/setup-codes.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { FactorTickets } from '../../identity/second-factor/tickets.js'

interface Collaborators {
  tickets: Pick<FactorTickets, 'find'>
  setupCodes: Pick<SetupCodes, 'request'>
}

/** Sends the code that a first factor needs. Throws `invalid_grant` for a ticket, and the errors of `SetupCodes.request`. */
export const createSendSetupCode =
  ({ tickets, setupCodes }: Collaborators) =>
  async ({ ticket, ...captcha }: SetupCodeRequest, client: ClientContext): Promise<SetupCodeSent> => {
    const { user, step } = await tickets.find(ticket, 'setup')
    return setupCodes.request({ user, step, ticket }, captcha, client)
  }
