import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import rollcall, { type Installation, type RollcallOptions } from '../app.js'
import { errorInLog } from '../lib/error-in-log.js'

export { openInstallation } from '../app.js'

/**
 * Builds the app without listening, passes it to `work` and closes it. Only the OpenAPI document needs its routes, and only
 * what makes a database prepares it.
 */
export const withApp = async <T>(
  installation: Installation,
  work: (app: FastifyInstance) => Promise<T>,
  options: Pick<RollcallOptions, 'onFirstStart' | 'answering' | 'prepare'> = { answering: false, prepare: 'nothing' },
): Promise<T> => {
  // No time limit: the database may take its time to answer, for example while it is being migrated.
  const app = Fastify({
    logger: { level: 'error', stream: process.stderr, serializers: { err: errorInLog } },
    pluginTimeout: 0,
  })
  try {
    // With `fp`, `work` can use the decorators of the plugin.
    await app.register(fp(rollcall), { installation, ...options })
    await app.ready()
    return await work(app)
  } finally {
    await app.close()
  }
}
