import fp from 'fastify-plugin'
import { createNewContacts } from './new-contacts.js'
import { createPasswordReset } from './password-reset.js'
import { createProfile } from './profile.js'
import { createRegistration } from './registration.js'

declare module 'fastify' {
  interface FastifyInstance {
    selfService: ReturnType<typeof createPasswordReset> &
      ReturnType<typeof createProfile> &
      ReturnType<typeof createRegistration>
  }
}

/** What users do with their own account without an administrator. */
export default fp(
  async (app) => {
    const { accounts, attempts, audit, db, login, loginLog, notices, passwords, sessions } = app
    const codes = app.oneTimeCodes
    const newContacts = createNewContacts({ ...codes, phoneFault: app.contacts.phoneFault })
    const { provePasswordOrFactor, writes } = accounts
    const { signInCheckFor } = login.ofTenant
    const settings = app.installation.settings.registration
    app.decorate('selfService', {
      ...createPasswordReset({ attempts, audit, codes, db, loginLog, notices, passwords, writes }),
      ...createProfile({ accounts, audit, db, newContacts, notices, provePasswordOrFactor, sessions, signInCheckFor }),
      ...createRegistration({ accounts, audit, db, newContacts, passwords, setupCodes: codes.setup, settings }),
    })
  },
  { name: 'people/own' },
)
