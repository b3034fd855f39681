import fp from 'fastify-plugin'
import { prepareRedis } from '../../db/index.js'
import type { Store } from '../../db/repositories/store.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Short-lived state shared by all processes: in Redis if `redisUrl` is set, otherwise in the database. */
    store: Store
    /** What is about the database itself and stays in it. */
    databaseStore: Store
    /** Where the requests of all processes are counted; undefined when each process counts its own. */
    requestCounters: Store | undefined
  }
}

export interface StoreOptions {
  /** Keeps short-lived state in place of the database or Redis. All processes of an installation must share it. */
  store?: Store
}

/** A server connects at its start, a command when it needs the store: most commands do not. */
export default fp<StoreOptions & { answering: boolean }>(
  async (app, { answering, store: ofHost }) => {
    const { db, encryption, installation } = app
    const now = () => app.clock.now()
    const databaseStore = db.createStore(now)
    app.decorate('databaseStore', databaseStore)
    if (ofHost) {
      app.decorate('store', ofHost)
      app.decorate('requestCounters', ofHost)
      return
    }
    const { redisUrl } = installation.settings
    if (redisUrl === null) {
      app.decorate('store', databaseStore)
      app.decorate('requestCounters', db.isShared ? databaseStore : undefined)
      return
    }
    const redis = await prepareRedis(redisUrl)
    app.addHook('onClose', () => redis.close())
    const store = redis.createStore(encryption.installation, now)
    app.decorate('store', store)
    app.decorate('requestCounters', store)
    if (!answering) return
    const { evictionPolicy } = await redis.open()
    if (evictionPolicy === undefined || evictionPolicy === 'noeviction') return
    app.log.warn(
      { policy: evictionPolicy },
      'Redis deletes entries when its memory is full (maxmemory-policy), and with them lockouts: set the policy noeviction',
    )
  },
  { name: 'run/store' },
)
