import fp from 'fastify-plugin'
import { createMail, type MailSender } from './mail.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when no mail server is configured. */
    mail: MailSender | undefined
  }
}

export default fp(
  async (app) => {
    const mail = createMail(app.installation.settings.mail)
    app.decorate('mail', mail)
    app.addHook('onClose', async () => mail?.close())
  },
  { name: 'mail', dependencies: ['config'] },
)
