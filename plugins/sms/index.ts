import fp from 'fastify-plugin'
import { createSmsSender, type SmsSender } from './senders.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when no sender is configured. */
    sendSms: SmsSender | undefined
  }
}

export default fp(
  async (app) => {
    app.decorate('sendSms', await createSmsSender(app.installation.settings.sms, app))
  },
  { name: 'sms', dependencies: ['clock', 'config'] },
)
