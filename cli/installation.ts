import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import rollcall, { type Installation, type RollcallOptions } from '../app.js'

export { openInstallation } from '../app.js'

/** Builds the app of an installation without listening, hands it to `work`, and closes it. Only the document needs its routes. */
export const withApp = async <T>(
  installation: Installation,
  work: (app: FastifyInstance) => Promise<T>,
  options: Pick<RollcallOptions, 'onFirstStart' | 'answering'> = { answering: false },
): Promise<T> => {
  // A command may have to migrate a large database first, which takes its time.
  const app = Fastify({ logger: { level: 'error', stream: process.stderr }, pluginTimeout: 0 })
  try {
    // `fp`: here the decorators are for the caller, not for a scope of their own.
    await app.register(fp(rollcall), { installation, ...options })
    await app.ready()
    return await work(app)
  } finally {
    await app.close()
  }
}
