import fp from 'fastify-plugin'
import { createTrustedTime } from './trusted-time.js'

declare module 'fastify' {
  interface FastifyInstance {
    trustedTime: ReturnType<typeof createTrustedTime>
  }
}

const toText = (time: number) => new Date(time).toISOString()

export default fp(
  async (app) => {
    const { clock, db, databaseStore: store } = app
    const newest = () => db.loginLog.newest()
    app.decorate(
      'trustedTime',
      createTrustedTime({ clock, store, newest }, (actual, expected) =>
        app.log.warn(
          `The clock says ${toText(actual)}, but ${toText(expected)} was expected. Expired data is not deleted until the ` +
            'clock has run for an hour without another jump, or `rollcall clock confirm` has confirmed its time.',
        ),
      ),
    )
  },
  { name: 'run/trusted-time', dependencies: ['run/clock', 'run/database', 'run/store'] },
)
