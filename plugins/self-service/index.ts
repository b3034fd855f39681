import fp from 'fastify-plugin'
import { createPasswordReset } from './password-reset.js'

declare module 'fastify' {
  interface FastifyInstance {
    selfService: ReturnType<typeof createPasswordReset>
  }
}

/** What users do with their own account without an administrator. */
export default fp(
  async (app) => {
    const { attempts, clock, db, loginLog, notices, oneTimeCodes, passwords } = app
    const collaborators = { attempts, clock, db, loginLog, notices, passwords, codes: oneTimeCodes }
    app.decorate('selfService', createPasswordReset(collaborators))
  },
  {
    name: 'self-service',
    dependencies: ['attempts', 'clock', 'database', 'login-log', 'notices', 'one-time-codes', 'passwords'],
  },
)
