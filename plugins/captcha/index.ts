import fp from 'fastify-plugin'
import { createCaptchas, type Captchas } from './captchas.js'

declare module 'fastify' {
  interface FastifyInstance {
    captchas: Captchas
  }
}

export default fp(
  async (app) => {
    const { devEcho, settings } = app.installation
    app.decorate('captchas', createCaptchas(app.store, { ttl: settings.captcha.ttl, echo: devEcho }))
  },
  { name: 'captcha', dependencies: ['config', 'store'] },
)
