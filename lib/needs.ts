import type { FastifyInstance } from 'fastify'

/**
 * What a room needs of the app, by the names of its decorators: `({ db, clock }: Needs<'db' | 'clock'>)`. The door gives it the app;
 * a test, whatever has these names. A name that is not declared is of type `never`, and no fault by itself: a host app reads the types of
 * some rooms without those of all doors.
 */
export type Needs<Name extends string> = {
  [Each in Name]: Each extends keyof FastifyInstance ? FastifyInstance[Each] : never
}
