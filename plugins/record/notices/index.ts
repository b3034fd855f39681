import fp from 'fastify-plugin'
import { publicUrlOf } from '../../../lib/public-url.js'
import { createComposer, type Composer } from './compose.js'
import { createPageLinks } from './page-links.js'
import { createNotices, type Notices } from './notices.js'

declare module 'fastify' {
  interface FastifyInstance {
    notices: Notices & { composer: Composer }
  }
}

/** Holds the texts of all messages to users, and sends notices of changes of their accounts. */
export default fp<{ pages?: boolean }>(
  async (app, { pages = false }) => {
    const { timeZone } = app
    const { settings } = app.installation
    const { serviceName, branding, mail: mailSettings } = settings
    const { language } = mailSettings
    const links = createPageLinks({ settings, hasPages: pages })
    const publicUrl = publicUrlOf(settings)
    const host = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
    const composer = createComposer({ serviceName, color: branding.color, language, links, host, timeZone })
    const notices = createNotices(app, composer)
    app.decorate('notices', { ...notices, composer })
    app.addHook('onClose', () => notices.finish())
  },
  { name: 'record/notices' },
)
