import fp from 'fastify-plugin'
import { createManagement, type Management } from './management.js'

declare module 'fastify' {
  interface FastifyInstance {
    management: Management
  }
}

export default fp(
  async (app) => {
    app.decorate('management', createManagement(app))
  },
  { name: 'people/manage' },
)
