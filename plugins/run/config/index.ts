import { join } from 'node:path'
import fp from 'fastify-plugin'
import { isLoopback } from '../../../lib/loopback.js'
import { retiredSettings } from '../../../schemas/settings.js'
import type { Installation } from './installation.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The validated configuration, the secret and the data directory. */
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
    const { lightColor, settings } = installation
    if (lightColor !== undefined) {
      const { color } = settings.branding
      app.log.warn(`branding.color: white text cannot be read on ${lightColor}, so ${color} is used instead`)
    }
    if (!installation.devEcho) return
    app.log.warn('ROLLCALL_DEV_ECHO: responses contain captcha answers and one-time codes')
    // When Rollcall is embedded, the host app chooses the address, so it is checked again here.
    app.addHook('onListen', async () => {
      const open = app.addresses().filter((bound) => !isLoopback(typeof bound === 'string' ? bound : bound.address))
      if (open.length === 0) return
      app.log.fatal(
        { addresses: open },
        'ROLLCALL_DEV_ECHO=1 is refused unless the app listens on loopback only: the app is closed',
      )
      void app.close()
    })
  },
  { name: 'run/config' },
)
