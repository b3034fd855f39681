import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'

/** Single sign-on for applications, where it is switched on. */
export default fp(
  async (app) => {
    if (!app.installation.settings.provider.enabled) return
    const { default: protocol } = await import('./http/index.js')
    await app.register(protocol)
    await app.register(autoload, { dir: join(import.meta.dirname, 'routes') })
  },
  { name: 'provider' },
)
