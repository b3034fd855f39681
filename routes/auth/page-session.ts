import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../lib/caller-of.js'
import { ref } from '../../schemas/ref.js'
import { PageSession, PageSessionRequest } from '../../schemas/session.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/pageSession',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'checkPageSession',
        tags: ['auth'],
        summary: 'Whether the browser keeps the page cookie',
        description:
          'For a page of the same origin that has signed in with `cookie: true`, before it goes on to another page: whether the cookie of this session has come back, and if not, why. Without it a reload, or the next page, finds nobody signed in. Changes nothing.',
        body: ref(PageSessionRequest),
        response: { 200: ref(PageSession) },
      },
    },
    async (request) => ({ state: request.pageSessionState(callerOf(request).session.id) }),
  )
}

export default route
