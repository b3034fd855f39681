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
    app.decorate('sendSms', await createSmsSender(app.installation.settings.sms, app.log))
  },
  { name: 'sms', dependencies: ['config'] },
)
