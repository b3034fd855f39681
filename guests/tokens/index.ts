import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'
import { Counter } from 'prom-client'
import { repeat } from '../../lib/repeat.js'
import { createReminders } from './reminders.js'

const hour = 3600 * 1000

/** The requests of API tokens, and their metric. */
export default fp(
  async (app) => {
    if (app.metrics) {
      const { registers } = app.metrics
      const requests = new Counter({
        name: 'rollcall_api_token_requests_total',
        help: 'Requests with an API token, by what came of it',
        labelNames: ['result'],
        registers,
      })
      app.sessions.apiTokens.onUse((result) => requests.inc({ result }))
    }
    const { close } = repeat(createReminders(app), {
      pause: hour,
      failed: (error) => app.log.error({ err: error }, 'owners of API tokens could not be told that they end'),
    })
    app.addHook('onClose', close)
    app.addTag({ name: 'tokens', description: 'API tokens: what scripts and other services sign in with' })
    await app.register(autoload, { dir: join(import.meta.dirname, 'routes') })
  },
  { name: 'tokens' },
)
