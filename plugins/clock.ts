import fp from 'fastify-plugin'

/** The one clock; tests bring their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since any moment, which go on evenly when `now` jumps; absent means that `now` never jumps. */
  monotonic?(): number
}

declare module 'fastify' {
  interface FastifyInstance {
    clock: Clock
  }
}

export default fp<{ clock?: Clock }>(
  async (app, { clock = { now: Date.now, monotonic: () => performance.now() } }) => {
    app.decorate('clock', clock)
  },
  { name: 'clock' },
)
