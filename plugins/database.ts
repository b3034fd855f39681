import fp from 'fastify-plugin'
import { openDatabase, type Database } from '../db/index.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

/** Opens the database, brings its schema up to date, and closes it with the app. */
export default fp(
  async (app) => {
    const { directory, settings } = app.installation
    const db = openDatabase(settings.databaseUrl, directory)
    app.addHook('onClose', () => db.close())
    const ran = await db.migrate()
    if (ran.length > 0) app.log.info({ migrations: ran }, 'database schema is up to date')
    app.decorate('db', db)
  },
  { name: 'database', dependencies: ['config'] },
)
