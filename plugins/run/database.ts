import fp from 'fastify-plugin'
import { openDatabase, openExistingDatabase, type Database } from '../../db/index.js'
import type { Installation } from './config/installation.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

export interface DatabaseOptions {
  /**
   * Called once, when the database can no longer be used, for example after a disk failure. The service has closed it and
   * answers 503 until the process is restarted.
   */
  onFatal?: ((fault: Error) => void) | undefined
  /**
   * What may be created and migrated: absent means every database; `new`, only one without data; `nothing`, none, so that the
   * servers of an earlier version can go on beside a command. Another database is refused.
   */
  prepare?: 'new' | 'nothing' | undefined
}

/** Opens the database; creates it only where that is wanted. */
const open = async ({ directory, settings }: Installation, prepare: DatabaseOptions['prepare']): Promise<Database> => {
  if (prepare === 'nothing') return openExistingDatabase(settings.databaseUrl, directory)
  const db = await openDatabase(settings.databaseUrl, directory)
  try {
    if (prepare === 'new' && (await db.schemaState()).kind !== 'none') await db.requireUsable()
    else await db.requireUnmoved()
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Opens the database, runs its migrations, and closes it when the app closes or the database fails. */
export default fp<DatabaseOptions>(
  async (app, { onFatal, prepare }) => {
    const db = await open(app.installation, prepare)
    app.addHook('onClose', () => db.close())
    void db.failed.then(async (fault) => {
      app.log.fatal(`Rollcall stops: ${fault.message}.`)
      await db.close().catch((error: unknown) => app.log.error({ err: error }, 'the database could not be closed'))
      onFatal?.(fault)
    })
    if (prepare !== 'nothing') {
      const isNew = (await db.schemaState()).kind === 'none'
      const ran = await db.migrate({
        report: (line) => app.log.warn(line),
        progress: (what, done, total) => app.log.info({ done, total }, `${what} in this database are being indexed`),
      })
      // The names of all migrations are not the first thing that somebody new should read.
      if (isNew) app.log.info('the database has been created')
      else if (ran.length > 0) app.log.info({ migrations: ran }, 'database schema is up to date')
    }
    app.decorate('db', db)
  },
  { name: 'run/database' },
)
