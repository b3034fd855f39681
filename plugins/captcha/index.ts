import fp from 'fastify-plugin'
import { createCaptchas, type Captchas } from './captchas.js'
import { graphical } from './graphical.js'
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
    const kind = type === 'pow' ? createProofOfWork(secret, powCost) : graphical
    app.decorate('captchas', createCaptchas(app.store, kind, { ttl, echo: devEcho }))
  },
  { name: 'captcha', dependencies: ['config', 'store'] },
)
