import fp from 'fastify-plugin'
import { OpenError, openDatabase, type Database } from '../db/index.js'
import type { Loading } from './config/installation.js'
import { OperatorError } from './errors/operator-error.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

const open = (...[url, directory]: Parameters<typeof openDatabase>): Database => {
  try {
    return openDatabase(url, directory)
  } catch (error) {
    throw error instanceof OpenError ? new OperatorError(error.message, { cause: error }) : error
  }
}

/** Opens the database, brings its schema up to date, and closes it with the app. */
export default fp<Loading>(
  async (app, { loadsAll }) => {
    const { directory, settings } = app.installation
    const db = open(settings.databaseUrl, directory)
    app.addHook('onClose', () => db.close())
    const ran = await db.migrate()
    if (ran.length > 0) app.log.info({ migrations: ran }, 'database schema is up to date')
    const loaded = loadsAll ? db.start() : Promise.resolve()
    app.addHook('onReady', () => loaded)
    app.decorate('db', db)
  },
  { name: 'database', dependencies: ['config'] },
)
