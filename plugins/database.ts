import fp from 'fastify-plugin'
import { openDatabase, type Database } from '../db/index.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

export interface FatalOptions {
  /**
   * Called once, when the database can no longer be used, for example after a disk failure. The service has closed it and
   * answers 503 until the process is restarted.
   */
  onFatal?: ((fault: Error) => void) | undefined
}

/** Opens the database, runs its migrations, and closes it when the app closes or the database fails. */
export default fp<FatalOptions>(
  async (app, { onFatal }) => {
    const { directory, settings } = app.installation
    const db = await openDatabase(settings.databaseUrl, directory)
    app.addHook('onClose', () => db.close())
    void db.failed.then(async (fault) => {
      app.log.fatal(`Rollcall stops: ${fault.message}.`)
      await db.close().catch((error: unknown) => app.log.error({ err: error }, 'the database could not be closed'))
      onFatal?.(fault)
    })
    app.addHook('onRequest', (_request, _reply, next) => next(db.fault()))
    const ran = await db.migrate({
      report: (line) => app.log.warn(line),
      progress: (what, done, total) => app.log.info({ done, total }, `${what} in this database are being indexed`),
    })
    if (ran.length > 0) app.log.info({ migrations: ran }, 'database schema is up to date')
    app.decorate('db', db)
  },
  { name: 'database', dependencies: ['config'] },
)
