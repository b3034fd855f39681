import fp from 'fastify-plugin'
import type { SmsSender } from './message.js'
import { createSmsSender } from './senders.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when no sender is configured. */
    sendSms: SmsSender | undefined
  }
}

export interface SmsOptions {
  /** Sends text messages in place of the sender in the configuration. */
  sendSms?: SmsSender
}

export default fp<SmsOptions>(
  async (app, { sendSms }) => {
    const send = sendSms ?? (await createSmsSender(app.installation.settings.sms, app))
    app.decorate('sendSms', send && app.deliveries.watch('sms', send))
  },
  { name: 'record/sms' },
)
