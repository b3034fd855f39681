import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOfTag, pickLanguage } from '../lib/language.js'
import { cutOffOpener } from '../lib/opener-policy.js'
import { asksForJson } from '../lib/asks-for-json.js'
import { problem } from '../lib/problem.js'

/** What a browser can open and reload, by page. */
const paths = {
  'sign-in': ['/sign-in', '/sign-in/forgot', '/sign-in/register', '/sign-in/invited', '/sign-in/return/:platform'],
  account: ['/account', '/account/*'],
  console: ['/console', '/console/*'],
} as const

const open = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const
const LanguageQuery = Type.Object({ lang: Type.Optional(Type.String()), interaction: Type.Optional(Type.String()) })

const split = (url: string): [path: string, search: string] => {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

/** Relative, because a proxy may have taken a prefix away. */
const redirectWithoutSlash = (request: FastifyRequest, reply: FastifyReply) => {
  if (asksForJson(request.headers.accept)) throw problem('not_found')
  const [path, search] = split(request.url)
  const [, last = '', slashes = ''] = /([^/]+)(\/+)$/.exec(path) ?? []
  return reply.redirect('../'.repeat(slashes.length) + last + search)
}

/** Not in the OpenAPI document: pages for people, and their scripts and styles. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const { served, document, sendAsset } = app.pages
  for (const page of served) {
    for (const path of paths[page]) {
      const schema = { ...open.schema, querystring: LanguageQuery }
      app.get(path, { ...open, schema }, async (request, reply) => {
        const { accept, 'accept-language': languages } = request.headers
        if (asksForJson(accept)) throw problem('not_found')
        if (split(request.url)[0].endsWith('/')) return redirectWithoutSlash(request, reply)
        const language = languageOfTag(request.query.lang) ?? pickLanguage(languages)
        const { html, headers } = await document(page, request, language)
        void reply.headers(headers)
        // An application on one page may have opened it in a window of its own, and waits there for the end.
        if (request.query.interaction === undefined) cutOffOpener(reply)
        return html
      })
      // What is below a page is the page's to know.
      if (path.endsWith('/*')) continue
      app.get(`${path}/`, open, async (request, reply) => redirectWithoutSlash(request, reply))
    }
  }
  app.get<{ Params: { name: string } }>('/pages/:name', open, (request, reply) => {
    sendAsset(reply, request.params.name)
  })
}

export default route
