import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Health } from '../../schemas/health.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/live',
    {
      config: { access: 'open' },
      schema: {
        operationId: 'getLiveness',
        tags: ['service'],
        summary: 'Whether the process answers',
        description: 'For a supervisor that restarts a process which hangs. It does not ask the database.',
        response: { 200: ref(Health) },
      },
    },
    async () => ({ status: 'ok' }),
  )
}

export default route
