import fp from 'fastify-plugin'

/** Answers 503 to every request once the database can no longer be used. */
export default fp(
  async (app) => {
    app.addHook('onRequest', (_request, _reply, next) => next(app.db.fault()))
  },
  { name: 'http/database-fault' },
)
