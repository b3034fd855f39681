import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { publicUrlOf } from '../lib/public-url.js'

/** The address of the service as this request names it; relative if the request names no host. */
const addressOf = ({ protocol, host }: FastifyRequest, prefix: string): string =>
  /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) ? `${protocol}://${host}${prefix}` : './'

const route: FastifyPluginAsyncTypebox = async (app) => {
  const publicUrl = publicUrlOf(app.installation.settings)
  for (const { path, kept } of app.documents) {
    app.get(path, { config: { access: 'open', envelope: false }, schema: { hide: true } }, (request, reply) => {
      // Programs that import the document, such as Postman, need a whole address.
      const url = publicUrl ?? addressOf(request, app.prefix)
      return kept.send(request, reply, { url, description: 'This server' })
    })
  }
}

export default route
