import fp from 'fastify-plugin'

/** The one clock; tests bring their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

declare module 'fastify' {
  interface FastifyInstance {
    clock: Clock
  }
}

export default fp<{ clock?: Clock }>(
  async (app, { clock = { now: Date.now } }) => {
    app.decorate('clock', clock)
  },
  { name: 'clock' },
)
