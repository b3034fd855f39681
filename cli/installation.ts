import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import rollcall, { type Installation, type RollcallOptions } from '../app.js'
import { errorInLog } from '../lib/error-in-log.js'

export { openInstallation } from '../app.js'

/** Builds the app without listening, passes it to `work` and closes it. Only the OpenAPI document needs its routes. */
export const withApp = async <T>(
  installation: Installation,
  work: (app: FastifyInstance) => Promise<T>,
  options: Pick<RollcallOptions, 'onFirstStart' | 'answering'> = { answering: false },
): Promise<T> => {
  // No time limit: a command may have to migrate a large database first.
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
