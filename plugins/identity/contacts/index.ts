import fp from 'fastify-plugin'
import { createContacts, type Contacts } from './contacts.js'

declare module 'fastify' {
  interface FastifyInstance {
    contacts: Contacts
  }
}

export default fp(
  async (app) => {
    app.decorate('contacts', createContacts(app.installation.settings.phoneRegion))
  },
  { name: 'identity/contacts' },
)
