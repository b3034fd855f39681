import fp from 'fastify-plugin'
import { createDummyHashes, type DummyHashes } from './passwords/dummy-hashes.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Hashes that a sign-in with an unknown name is verified against. */
    dummyHashes: DummyHashes
  }
}

/**
 * Counts the kinds of hash in use before the first sign-in; housekeeping goes on counting. Only in servers: commands need no dummy
 * hashes.
 */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    const { db, installation, passwords } = app
    const dummyHashes = createDummyHashes(db.users, passwords.kindOf, installation.secret)
    app.decorate('dummyHashes', dummyHashes)
    if (answering) await dummyHashes.count()
  },
  { name: 'identity/dummy-hashes' },
)
