import fp from 'fastify-plugin'
import { createTimeZone, ownTimeZone, type TimeZone } from '../../lib/time-zone.js'

declare module 'fastify' {
  interface FastifyInstance {
    timeZone: TimeZone
  }
}

/** The time zone of files, mails and dates without a time; times in answers are RFC 3339. */
export default fp(
  async (app) => {
    app.decorate('timeZone', createTimeZone(app.installation.settings.timeZone ?? ownTimeZone()))
  },
  { name: 'run/time-zone' },
)
