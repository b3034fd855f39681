import fp from 'fastify-plugin'
import { checkName } from '../write/names.js'
import { createAddFactor } from './add-factor.js'
import { createEnrolPasskey } from './enrol-passkey.js'
import { createEnrol } from './enrol.js'
import { listFactors } from './factor-records.js'
import { createOwnFactors } from './own-factors.js'
import { createStepUp } from './step-up.js'

declare module 'fastify' {
  interface FastifyInstance {
    ownFactors: ReturnType<typeof createOwnFactors> & {
      listFactors: typeof listFactors
      enrol: ReturnType<typeof createEnrol>
      passkeys: ReturnType<typeof createEnrolPasskey>
      stepUp: ReturnType<typeof createStepUp>
    }
  }
}

/** What users do with their own second factors. */
export default fp(
  async (app) => {
    const { accounts, attempts, audit, clock, db, encryption, login, notices, secondFactor } = app
    const { writes, reauthenticate, checkPassword } = accounts
    const { policy, enrolments, tickets, purposeOf, passkeys, passkeyAmr, replaceRecoveryCodes } = secondFactor
    const readName = (field: string, text: string): string => {
      checkName(field, text)
      return text
    }
    const shared = { db, writes, reauthenticate, policy, replaceRecoveryCodes, readName, audit, notices, clock }
    const addFactor = createAddFactor({ ...shared, tickets, finishSignIn: login.finishSignIn })
    app.decorate('ownFactors', {
      ...createOwnFactors({ ...shared, signInCheckFor: login.ofTenant.signInCheckFor, rpId: passkeys.rpId }),
      listFactors,
      enrol: createEnrol({ db, addFactor, enrolments, readName, encryption, purposeOf, clock }),
      passkeys: createEnrolPasskey({ db, addFactor, passkeys, passkeyAmr, readName, clock }),
      stepUp: createStepUp({ db, factors: secondFactor, checkPassword, attempts, writes, clock }),
    })
  },
  {
    name: 'people/factors',
    dependencies: [
      'identity/login',
      'identity/second-factor',
      'people/write',
      'record/audit',
      'record/notices',
      'run/clock',
      'run/database',
      'sessions/encryption',
      'throttle/attempts',
    ],
  },
)
