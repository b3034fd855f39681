import fp from 'fastify-plugin'
import { senderAdvice } from './sender-advice.js'
import type { Mail, MailSender } from './mail.js'

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
    const watched = mail && { ...mail, send: app.deliveries.watch<Mail>('mail', (message) => mail.send(message)) }
    app.decorate('mail', watched)
    const advice = senderAdvice(settings.mail)
    if (advice !== undefined) app.log.warn(advice)
    app.addHook('onClose', async () => mail?.close())
  },
  { name: 'record/mail' },
)
