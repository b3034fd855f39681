import { join } from 'node:path'
import fp from 'fastify-plugin'
import { isLoopback } from '../../lib/loopback.js'
import { retiredSettings } from '../../schemas/settings.js'
import type { Installation } from './installation.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The checked configuration and what came with it. */
    installation: Installation
  }
}

export default fp<{ installation: Installation }>(
  async (app, { installation }) => {
    app.decorate('installation', installation)
    const retired = installation.retiredSettings.map((name) => `${name} (${retiredSettings[name]})`)
    if (retired.length > 0) {
      const file = join(installation.directory, 'config.json')
      app.log.warn(`${file} has settings that no longer exist and are ignored, remove them: ${retired.join(', ')}`)
    }
    if (!installation.devEcho) return
    app.log.warn('ROLLCALL_DEV_ECHO: captcha answers and one-time codes are shown to everybody')
    // A host app listens where it likes.
    app.addHook('onListen', async () => {
      const open = app.addresses().filter((bound) => !isLoopback(typeof bound === 'string' ? bound : bound.address))
      if (open.length === 0) return
      app.log.fatal(
        { addresses: open },
        'ROLLCALL_DEV_ECHO=1 is refused unless the app listens on loopback only: it closes',
      )
      void app.close()
    })
  },
  { name: 'config' },
)
