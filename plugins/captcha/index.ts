import fp from 'fastify-plugin'
import { createCaptchas, type Captchas } from './captchas.js'
import { createGraphical, randomText } from './graphical.js'
import { createPictures } from './pictures.js'
import { createProofOfWork } from './proof-of-work.js'

declare module 'fastify' {
  interface FastifyInstance {
    captchas: Captchas
  }
}

export default fp(
  async (app) => {
    const { devEcho, secret, settings } = app.installation
    const { type, powCost, ttl } = settings.captcha
    const pictures = createPictures(randomText)
    const kind = type === 'pow' ? createProofOfWork(secret, powCost) : createGraphical(pictures)
    app.decorate(
      'captchas',
      createCaptchas(app.store, kind, {
        ttl,
        echo: devEcho,
        // Failures of an address are counted over all tenants and names, so these values do not matter.
        async failuresOf(address) {
          const limiter = await app.attempts.limiterFor({ tenantId: 0, subject: undefined, address })
          return limiter.failures().address
        },
      }),
    )
    app.addHook('onClose', () => pictures.close())
  },
  { name: 'captcha', dependencies: ['attempts', 'config', 'store'] },
)
