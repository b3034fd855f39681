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
    const newContacts = createNewContacts(app)
    app.decorate('selfService', {
      ...createPasswordReset(app),
      ...createProfile(app, newContacts),
      ...createRegistration(app, newContacts),
    })
  },
  { name: 'people/own' },
)
