import fp from 'fastify-plugin'
import { createEncryption, nameInstallation, type Encryption } from './encryption.js'

declare module 'fastify' {
  interface FastifyInstance {
    encryption: Encryption & {
      /** The name that all processes with this master secret have. */
      installation: string
    }
  }
}

export default fp(
  async (app) => {
    const { secret } = app.installation
    app.decorate('encryption', { ...createEncryption(secret), installation: nameInstallation(secret) })
  },
  { name: 'run/encryption' },
)
