import fp from 'fastify-plugin'
import { trustedProxies } from '../../lib/trusted-proxies.js'

/**
 * Logs once that X-Forwarded-For came from an address that `trustProxy` does not name. Behind a proxy that was forgotten
 * there, all callers count as one address: they share its limits and pauses.
 */
export default fp(
  async (app) => {
    const isProxy = trustedProxies(app.installation.settings.trustProxy)
    let isTold = false
    app.addHook('onRequest', (request, _reply, next) => {
      const { headers, socket } = request.raw
      if (!isTold && headers['x-forwarded-for'] !== undefined && !isProxy(socket.remoteAddress ?? '')) {
        isTold = true
        const from = socket.remoteAddress ?? 'an unknown address'
        app.log.warn(
          `X-Forwarded-For from ${from} is ignored. If a proxy of yours has this address, set TRUST_PROXY to it: ` +
            'until then all callers behind it count as one address.',
        )
      }
      next()
    })
  },
  { name: 'untrusted-proxy', dependencies: ['config'] },
)
