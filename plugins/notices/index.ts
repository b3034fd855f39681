import fp from 'fastify-plugin'
import { createNotices, type Notices } from './notices.js'

declare module 'fastify' {
  interface FastifyInstance {
    notices: Notices
  }
}

export default fp(
  async (app) => {
    const { clock, log, mail } = app
    const notices = createNotices({ mail, clock, log, service: app.installation.settings.serviceName })
    app.decorate('notices', notices)
    app.addHook('onClose', () => notices.finish())
  },
  { name: 'notices', dependencies: ['clock', 'config', 'mail'] },
)
