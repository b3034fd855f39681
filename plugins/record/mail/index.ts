import fp from 'fastify-plugin'
import { senderAdvice } from './sender-advice.js'
import type { MailSender } from './mail.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when no mail server is configured. */
    mail: MailSender | undefined
  }
}

export default fp(
  async (app) => {
    const { settings } = app.installation
    // The library is loaded only when a mail server is configured.
    const mail = settings.mail.url === null ? undefined : (await import('./mail.js')).createMail(settings)
    app.decorate('mail', mail)
    const advice = senderAdvice(settings.mail)
    if (advice !== undefined) app.log.warn(advice)
    app.addHook('onClose', async () => mail?.close())
  },
  { name: 'record/mail', dependencies: ['run/config'] },
)
