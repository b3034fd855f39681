import fp from 'fastify-plugin'
import { randomId } from '../../../lib/random-id.js'
import { createAdministration, type Administration } from './administration.js'
import { createChangePassword } from './change-password.js'
import { createProvePassword } from './prove-password.js'
import { phoneFault, phoneForms, readEmail, readNewEmail, readNewPhone, readPhone } from './contacts.js'
import { randomPassword } from './random-password.js'
import { createProveFactor, createProvePasswordOrFactor } from './prove-password-or-factor.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Administration & {
      randomPassword: typeof randomPassword
      changePassword: ReturnType<typeof createChangePassword>
      provePassword: ReturnType<typeof createProvePassword>
      proveFactor: ReturnType<typeof createProveFactor>
      provePasswordOrFactor: ReturnType<typeof createProvePasswordOrFactor>
      /** Reads a phone number with a country code or in the national form of the configured region. */
      readPhone: (text: string) => ReturnType<typeof readPhone>
      readEmail: typeof readEmail
      /** The same for contacts that are to be stored. */
      readNewPhone: (text: string) => ReturnType<typeof readNewPhone>
      readNewEmail: typeof readNewEmail
      /** What a phone number must be. */
      phoneFault: ReturnType<typeof phoneFault>
      phoneForms: ReturnType<typeof phoneForms>
    }
  }
}

export default fp(
  async (app) => {
    const { attempts, audit, clock, db, notices, passwords, sessions } = app
    const { settings } = app.installation
    const { phoneRegion } = settings
    const { purposeOf } = app.secondFactor
    const encryptTotp = (secret: string) => {
      const id = randomId()
      return { id, encryptedSecret: app.encryption.encrypt(secret, purposeOf(id)) }
    }
    const administration = createAdministration({ audit, db, passwords, clock, phoneRegion, encryptTotp })
    const { writes } = administration
    const provePassword = createProvePassword({ passwords, attempts })
    const { isFresh } = sessions
    const proveFactor = createProveFactor(app.secondFactor)
    const provePasswordOrFactor = createProvePasswordOrFactor({ provePassword, proveFactor, isFresh })
    const proofs = { provePassword, proveFactor, provePasswordOrFactor }
    app.decorate('accounts', {
      ...administration,
      randomPassword,
      changePassword: createChangePassword({ audit, db, passwords, notices, writes, ...proofs }),
      ...proofs,
      readPhone: (text) => readPhone(text, phoneRegion),
      readEmail,
      readNewPhone: (text) => readNewPhone(text, phoneRegion),
      readNewEmail,
      phoneFault: phoneFault(phoneRegion),
      phoneForms: phoneForms(phoneRegion),
    })
  },
  {
    name: 'people/write',
    dependencies: [
      'identity/passwords',
      'identity/second-factor',
      'record/audit',
      'record/notices',
      'run/clock',
      'run/config',
      'run/database',
      'sessions/encryption',
      'sessions/sessions',
      'throttle/attempts',
    ],
  },
)
