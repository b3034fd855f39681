import fp from 'fastify-plugin'
import { trustedProxies } from '../../lib/trusted-proxies.js'

/**
 * Logs a warning once when X-Forwarded-For comes from an address that `trustProxy` does not contain. Behind a proxy that is
 * missing there, all clients count as one address and share its rate limits and lockouts.
 */
export default fp(
  async (app) => {
    const isProxy = trustedProxies(app.installation.settings.trustProxy)
    let isLogged = false
    app.addHook('onRequest', (request, _reply, next) => {
      const { headers, socket } = request.raw
      if (!isLogged && headers['x-forwarded-for'] !== undefined && !isProxy(socket.remoteAddress ?? '')) {
        isLogged = true
        const from = socket.remoteAddress ?? 'an unknown address'
        request.log.warn(
          `X-Forwarded-For from ${from} is ignored. If one of your proxies has this address, add it to TRUST_PROXY. ` +
            'Until then all clients behind it count as one address.',
        )
      }
      next()
    })
  },
  { name: 'http/untrusted-proxy' },
)
