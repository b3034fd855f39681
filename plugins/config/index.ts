import { join } from 'node:path'
import fp from 'fastify-plugin'
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
    if (installation.devEcho)
      app.log.warn('ROLLCALL_DEV_ECHO: captcha answers and one-time codes are shown to everybody')
  },
  { name: 'config' },
)
