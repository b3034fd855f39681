import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { publicUrlOf } from '../lib/public-url.js'

/** The address of the service as this request names it; relative if the request names no host. */
const addressOf = ({ protocol, host }: FastifyRequest, prefix: string): string =>
  /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) ? `${protocol}://${host}${prefix}` : './'

const route: FastifyPluginAsyncTypebox = async (app) => {
  const publicUrl = publicUrlOf(app.installation.settings)
  for (const { path, read } of app.documents) {
    app.get(path, { config: { access: 'open', envelope: false }, schema: { hide: true } }, async (request) => {
      // Programs that import the document, such as Postman, need a whole address.
      const servers = [{ url: publicUrl ?? addressOf(request, app.prefix), description: 'This server' }]
      return { ...read(), servers }
    })
  }
}

export default route
