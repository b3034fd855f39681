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
        failuresOf: app.attempts.failuresOfAddress,
      }),
    )
    app.addHook('onClose', () => pictures.close())
  },
  { name: 'identity/captcha' },
)
