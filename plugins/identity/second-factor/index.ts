import fp from 'fastify-plugin'
import { createCheckFactor, type CheckFactor } from './check-factor.js'
import { credentialStateOf } from './credential-state.js'
import { createEnrolments, type Enrolments } from './enrolments.js'
import type { AddressInfo } from 'node:net'
import { relyingPartyOf } from '../../../lib/relying-party.js'
import { createFactors, passkeyAmr, purposeOf, type Factors } from './factors.js'
import { replaceRecoveryCodes } from './recovery-codes.js'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.js'
import { createFactorPolicy, type FactorPolicies } from './policy.js'
import { createStepUpRefusal, type StepUp } from './step-up.js'
import { createTrustedDevices, type TrustedDevices } from './trusted-devices.js'
import { createFactorTickets, type FactorTickets } from './tickets.js'

declare module 'fastify' {
  interface FastifyInstance {
    secondFactor: Factors &
      CheckFactor &
      StepUp & {
        enrolments: Enrolments
        passkeys: Passkeys
        purposeOf: typeof purposeOf
        passkeyAmr: string[]
        replaceRecoveryCodes: typeof replaceRecoveryCodes
        credentialStateOf: typeof credentialStateOf
        tickets: FactorTickets
        policy: FactorPolicies
        trustedDevices: TrustedDevices
      }
  }
}

export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    const { attempts, db, encryption, clock, store, notices, log } = app
    const { settings: all } = app.installation
    const { serviceName, secondFactor: settings } = all
    // The port may be any free one, or that of a host app.
    const port = () => (app.server.address() as AddressInfo | null)?.port ?? all.port
    const relyingParty = () => relyingPartyOf(all, port())
    if (answering)
      app.addHook('onListen', async () => {
        if (!relyingParty())
          log.warn(
            'there are no passkeys: they need publicUrl with a domain and https, or passkeys.rpId and passkeys.origins',
          )
      })
    const passkeys = createPasskeys(app, relyingParty)
    const factors = createFactors(app, passkeys)
    app.decorate('secondFactor', {
      ...factors,
      ...createStepUpRefusal(factors, clock),
      ...createCheckFactor(attempts, notices),
      enrolments: createEnrolments(store, encryption, clock, serviceName),
      passkeys,
      purposeOf,
      passkeyAmr,
      replaceRecoveryCodes,
      credentialStateOf,
      tickets: createFactorTickets(store, db, clock),
      policy: createFactorPolicy(settings, clock),
      trustedDevices: createTrustedDevices(db, settings, clock),
    })
  },
  { name: 'identity/second-factor' },
)
