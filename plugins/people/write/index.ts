import fp from 'fastify-plugin'
import { randomId } from '../../../lib/random-id.js'
import { createAdministration, type Administration } from './administration.js'
import { createChangePassword } from './change-password.js'
import { createCheckPassword } from './check-password.js'
import { readEmail, readNewEmail, readNewPhone, readPhone } from './contacts.js'
import { randomPassword } from './random-password.js'
import { createReauthenticate } from './reauthenticate.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Administration & {
      randomPassword: typeof randomPassword
      changePassword: ReturnType<typeof createChangePassword>
      checkPassword: ReturnType<typeof createCheckPassword>
      reauthenticate: ReturnType<typeof createReauthenticate>
      /** Reads a phone number with a country code or in the national form of the configured region. */
      readPhone: (text: string) => ReturnType<typeof readPhone>
      readEmail: typeof readEmail
      /** The same for contacts that are to be stored. */
      readNewPhone: (text: string) => ReturnType<typeof readNewPhone>
      readNewEmail: typeof readNewEmail
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
    const checkPassword = createCheckPassword({ passwords, attempts })
    const { isFresh } = sessions
    const reauthenticate = createReauthenticate({ checkPassword, isFresh, secondFactor: app.secondFactor })
    app.decorate('accounts', {
      ...administration,
      randomPassword,
      changePassword: createChangePassword({ audit, db, passwords, reauthenticate, notices, writes }),
      checkPassword,
      reauthenticate,
      readPhone: (text) => readPhone(text, phoneRegion),
      readEmail,
      readNewPhone: (text) => readNewPhone(text, phoneRegion),
      readNewEmail,
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
