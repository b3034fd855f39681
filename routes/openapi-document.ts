import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/openapi.json', { config: { access: 'open', envelope: false }, schema: { hide: true } }, async () =>
    app.swagger(),
  )
}

export default route
