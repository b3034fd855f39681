import fp from 'fastify-plugin'
import type { MailSender } from './mail.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when no mail server is configured. */
    mail: MailSender | undefined
  }
}

export default fp(
  async (app) => {
    const { url, ...settings } = app.installation.settings.mail
    // The library is loaded only when a mail server is configured.
    const mail = url === null ? undefined : (await import('./mail.js')).createMail({ url, ...settings })
    app.decorate('mail', mail)
    app.addHook('onClose', async () => mail?.close())
  },
  { name: 'record/mail', dependencies: ['run/config'] },
)
