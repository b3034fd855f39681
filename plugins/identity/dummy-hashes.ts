import fp from 'fastify-plugin'
import { createDummyHashes, type DummyHashes } from './passwords/dummy-hashes.js'

/** Milliseconds between two counts. */
const interval = 10 * 60_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Hashes that a sign-in with an unknown name is verified against. */
    dummyHashes: DummyHashes
  }
}

/** Counts the kinds of hash in use, but only in servers: commands need no dummy hashes. */
export default fp(
  async (app) => {
    const { db, installation, log } = app
    const dummyHashes = createDummyHashes(db.users, app.passwords.kindOf, installation.secret)
    app.decorate('dummyHashes', dummyHashes)
    const closing = new AbortController()
    let counting: Promise<unknown> = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    const count = () => {
      counting = dummyHashes
        .count(closing.signal)
        .catch((error: unknown) => log.error({ err: error }, 'the kinds of password hashes could not be counted'))
    }
    app.addHook('onListen', async () => {
      count()
      timer = setInterval(count, interval).unref()
    })
    app.addHook('onClose', async () => {
      closing.abort()
      clearInterval(timer)
      await counting
    })
  },
  { name: 'identity/dummy-hashes', dependencies: ['identity/passwords', 'run/config', 'run/database'] },
)
