import fp from 'fastify-plugin'
import type { SetupCodeRequest, SetupCodeSent } from '../../../schemas/factors.js'
import type { ClientContext } from '../../identity/devices/client.js'
import { checkName } from '../write/names.js'
import { createAddFactor } from './add-factor.js'
import { createEnrolPasskey } from './enrol-passkey.js'
import { createEnrol } from './enrol.js'
import { listFactors } from './factor-records.js'
import { createOwnFactors } from './own-factors.js'
import { createStepUp } from './step-up.js'
import type { Needs } from '../../../lib/needs.js'

/** Sends the code that a first factor needs. Throws `invalid_grant` for a ticket, and the errors of `SetupCodes.request`. */
const createSendSetupCode =
  ({ oneTimeCodes, secondFactor }: Needs<'oneTimeCodes' | 'secondFactor'>) =>
  async ({ ticket, ...captcha }: SetupCodeRequest, client: ClientContext): Promise<SetupCodeSent> => {
    const { user, step } = await secondFactor.tickets.find(ticket, 'setup')
    return oneTimeCodes.setup.request({ user, step, ticket }, captcha, client)
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
    const readName = (field: string, text: string): string => {
      checkName(field, text)
      return text
    }
    const addFactor = createAddFactor(app)
    app.decorate('ownFactors', {
      ...createOwnFactors(app, readName),
      listFactors,
      sendSetupCode: createSendSetupCode(app),
      enrol: createEnrol(app, addFactor, readName),
      passkeys: createEnrolPasskey(app, addFactor, readName),
      stepUp: createStepUp(app),
    })
  },
  { name: 'people/factors' },
)
