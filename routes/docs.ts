import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pickLanguage } from '../lib/language.js'
import { cutOffOpener } from '../lib/opener-policy.js'

const open = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const

/** The page that shows the OpenAPI documents. All addresses are relative: a proxy may have taken a prefix away. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const [main, ...others] = app.documents
  if (!main) throw new Error('http/documentation comes first')
  const list = [
    { name: main.title, url: 'json' },
    ...others.map(({ title, path }) => ({ name: title, url: `..${path}` })),
  ]
  app.get('/docs', open, (_request, reply) => {
    cutOffOpener(reply)
    return reply.redirect('docs/')
  })
  app.get('/docs/', open, async (request, reply) => {
    const language = pickLanguage(request.headers['accept-language'])
    const { html, headers } = await app.pages.document('docs', request, language)
    cutOffOpener(reply)
    return reply.headers(headers).send(html)
  })
  app.get('/docs/documents.json', open, async () => ({ urls: list }))
  app.get('/docs/json', open, (request, reply) => main.kept.send(request, reply))
  // Writing YAML anew would take half a second; JSON is YAML, too.
  app.get('/docs/yaml', open, (_request, reply) => reply.redirect('json'))
}

export default route
