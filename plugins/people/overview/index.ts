import fp from 'fastify-plugin'
import { publicUrlOf } from '../../../lib/public-url.js'
import { createOverview } from './overview.js'
import { describeInstallation } from './typed-command.js'

declare module 'fastify' {
  interface FastifyInstance {
    overview: ReturnType<typeof createOverview>
  }
}

export default fp(
  async (app) => {
    const { clock, db, deliveries, management, sendSms, userList } = app
    const { directory, isRegionChosen, settings } = app.installation
    const installation = { ...describeInstallation(directory, process.env), publicUrl: publicUrlOf(settings) ?? null }
    const { sessions } = management
    app.decorate(
      'overview',
      createOverview({
        ...{ db, clock, settings, installation, userList, sessions, deliveries },
        ...{ isRegionChosen, hasSms: sendSms !== undefined },
      }),
    )
  },
  { name: 'people/overview' },
)
