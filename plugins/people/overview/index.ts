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
    const { directory, settings } = app.installation
    const installation = { ...describeInstallation(directory, process.env), publicUrl: publicUrlOf(settings) ?? null }
    app.decorate('overview', createOverview(app, installation))
  },
  { name: 'people/overview' },
)
