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
    const { clock, db, store } = app
    const newest = () => db.loginLog.newest()
    app.decorate(
      'trustedTime',
      createTrustedTime({ clock, store, newest }, (says, expected) =>
        app.log.warn(
          `The clock says ${toText(says)}, and ${toText(expected)} was expected: nothing old is deleted until it has gone ` +
            'on for an hour without a jump, or `rollcall clock confirm` has said that it is right.',
        ),
      ),
    )
  },
  { name: 'trusted-time', dependencies: ['clock', 'database', 'store'] },
)
