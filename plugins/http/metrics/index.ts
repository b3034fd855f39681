import { createHash, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Metrics } from './metrics.js'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns whether an Authorization header has the token; the time that it takes says nothing about the token. */
const createTokenCheck = (token: string) => {
  const expected = digest(`Bearer ${token}`)
  return (authorization: string | undefined): boolean => timingSafeEqual(digest(authorization ?? ''), expected)
}

interface ServiceMetrics extends Pick<Metrics, 'read' | 'contentType' | 'registers'> {
  /** Whether the header allows to read the metrics from the service itself; always false without `metrics.token`. */
  isAllowed: (authorization: string | undefined) => boolean
  /** The port of its own, if there is one. */
  port: number | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when the metrics are off. A guest adds its own by `registers`. */
    metrics: ServiceMetrics | undefined
  }
}

/** Metrics for Prometheus, if `metrics.port` or `metrics.token` is set; otherwise nothing of it is loaded. */
export default fp(
  async (app) => {
    const { host, port, token } = app.installation.settings.metrics
    if (port === null && token === null) {
      app.decorate('metrics', undefined)
      return
    }
    const [{ createMetrics }, { createLiveSessions }] = await Promise.all([
      import('./metrics.js'),
      import('./live-sessions.js'),
    ])
    const liveSessions = createLiveSessions(app.db.sessions, app.clock)
    const metrics = createMetrics({
      waitingHashes: app.passwords.waiting,
      loginLogRows: () => app.db.loginLog.size(),
      liveSessions: liveSessions.current,
    })
    app.loginLog.onOutcome(metrics.signedIn)
    app.passwords.onWait(metrics.hashWaited)
    app.userList.onTooLarge(metrics.listHadNoRoom)
    app.failures.add(metrics.failed)
    app.addHook('onResponse', (request, reply, next) => {
      const route = request.is404 ? undefined : request.routeOptions.url
      metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
      next()
    })
    const hasToken = token === null ? () => false : createTokenCheck(token)
    const { listen } = await import('./listener.js')
    const own =
      port === null ? undefined : await listen({ host, port }, metrics, token === null ? () => true : hasToken, app)
    app.addHook('onClose', async () => {
      await own?.close()
      await liveSessions.close()
    })
    app.decorate('metrics', { ...metrics, isAllowed: hasToken, port: own?.port })
  },
  { name: 'http/metrics' },
)
