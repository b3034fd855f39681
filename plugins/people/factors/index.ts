import fp from 'fastify-plugin'
import type { SetupCodeRequest, SetupCodeSent } from '../../../schemas/factors.js'
import type { SetupCodes } from '../../identity/codes/setup-codes.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { FactorTickets } from '../../identity/second-factor/tickets.js'
import { checkName } from '../write/names.js'
import { createAddFactor } from './add-factor.js'
import { createEnrolPasskey } from './enrol-passkey.js'
import { createEnrol } from './enrol.js'
import { listFactors } from './factor-records.js'
import { createOwnFactors } from './own-factors.js'
import { createStepUp } from './step-up.js'

interface SetupCodeCollaborators {
  tickets: Pick<FactorTickets, 'find'>
  setupCodes: Pick<SetupCodes, 'request'>
}

/** Sends the code that a first factor needs. Throws `invalid_grant` for a ticket, and the errors of `SetupCodes.request`. */
const createSendSetupCode =
  ({ tickets, setupCodes }: SetupCodeCollaborators) =>
  async ({ ticket, ...captcha }: SetupCodeRequest, client: ClientContext): Promise<SetupCodeSent> => {
    const { user, step } = await tickets.find(ticket, 'setup')
    return setupCodes.request({ user, step, ticket }, captcha, client)
  }

declare module 'fastify' {
  interface FastifyInstance {
    ownFactors: ReturnType<typeof createOwnFactors> & {
      listFactors: typeof listFactors
      sendSetupCode: ReturnType<typeof createSendSetupCode>
      enrol: ReturnType<typeof createEnrol>
      passkeys: ReturnType<typeof createEnrolPasskey>
      stepUp: ReturnType<typeof createStepUp>
    }
  }
}

/** What users do with their own second factors. */
export default fp(
  async (app) => {
    const { accounts, audit, clock, db, encryption, entry, login, notices, secondFactor } = app
    const { writes, provePasswordOrFactor, provePassword } = accounts
    const { policy, enrolments, tickets, purposeOf, passkeys, passkeyAmr, replaceRecoveryCodes } = secondFactor
    const { credentialStateOf } = secondFactor
    const readName = (field: string, text: string): string => {
      checkName(field, text)
      return text
    }
    const shared = { db, writes, provePasswordOrFactor, policy, replaceRecoveryCodes, readName, audit, notices, clock }
    const addFactor = createAddFactor({
      ...shared,
      tickets,
      credentialStateOf,
      setupCodes: app.oneTimeCodes.setup,
      entry,
    })
    app.decorate('ownFactors', {
      ...createOwnFactors({ ...shared, signInCheckFor: login.ofTenant.signInCheckFor, rpId: passkeys.rpId }),
      listFactors,
      sendSetupCode: createSendSetupCode({ tickets, setupCodes: app.oneTimeCodes.setup }),
      enrol: createEnrol({ db, addFactor, enrolments, readName, encryption, purposeOf, clock }),
      passkeys: createEnrolPasskey({ db, addFactor, passkeys, passkeyAmr, readName, clock }),
      stepUp: createStepUp({ db, factors: secondFactor, provePassword, writes, clock }),
    })
  },
  { name: 'people/factors' },
)
