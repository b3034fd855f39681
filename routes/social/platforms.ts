import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../schemas/ref.js'
import { SocialPlatforms, SocialPlatformsQuery } from '../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/platforms',
    {
      config: { access: 'open' },
      schema: {
        operationId: 'getSocialPlatforms',
        tags: ['social'],
        summary: 'Identity providers that can be used to sign in',
        description: 'Those of the configuration, with name and logo for the buttons of a sign-in page.',
        querystring: SocialPlatformsQuery,
        response: { 200: ref(SocialPlatforms) },
      },
    },
    async (request) => app.federation.platforms(request.query.tenantId),
  )
}

export default route
