import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'
import { divertConsole } from './engine/notices.js'
import { enumerations } from './enumerations.js'

/** The routes of applications; those of the protocol where single sign-on is switched on. */
export default fp(
  async (app) => {
    const tag = {
      name: 'applications',
      description:
        'Applications that sign people in here (OpenID Connect). `/.well-known/openid-configuration` names the addresses of the protocol',
    }
    app.addTag(tag, enumerations)
    await app.register(autoload, { dir: join(import.meta.dirname, 'routes') })
    if (!app.installation.settings.provider.enabled) return
    const restore = divertConsole(app.log)
    app.addTag((await import('./http/operations.js')).protocolTag)
    const { default: protocol } = await import('./http/index.js').finally(restore)
    await app.register(protocol)
    await app.register((await import('./http/forward.js')).default)
    await app.register(autoload, { dir: join(import.meta.dirname, 'http/routes') })
  },
  { name: 'provider' },
)
