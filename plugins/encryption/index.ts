import fp from 'fastify-plugin'
import { createEncryption, type Encryption } from './encryption.js'

declare module 'fastify' {
  interface FastifyInstance {
    encryption: Encryption
  }
}

export default fp(
  async (app) => {
    app.decorate('encryption', createEncryption(app.installation.secret))
  },
  { name: 'encryption', dependencies: ['config'] },
)
