import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Language } from '../../../schemas/problems.js'
import { createPageFiles } from './page-files.js'
import { asksForHtml } from '../../../lib/asks-for-json.js'
import { languageOf } from '../../../lib/language.js'
import { baseOf, missingHtml, pageHtml } from './page-html.js'
import { docsPolicy, pagePolicy } from './policy.js'

export interface PagesOptions {
  /** Whether to serve the pages for people. An app around the service may have these addresses itself. */
  pages?: boolean
  /** The guests that are switched on and bring something to the pages. */
  guests?: readonly string[]
}

/** In the order in which they are built. */
const names = { 'sign-in': 'signIn', account: 'account', console: 'console' } as const
type PageName = keyof typeof names

interface Pages {
  /** Those that are switched on. The page of the OpenAPI documents is always there. */
  served: readonly PageName[]
  /** The document of a page and its headers. */
  document: (
    page: PageName | 'docs',
    request: FastifyRequest,
    language: Language,
  ) => Promise<{ html: string; headers: Record<string, string> }>
  /** Answers with a script or a style sheet by its name with hash; 404 where there is none. */
  sendAsset: (reply: FastifyReply, name: string) => void
}

declare module 'fastify' {
  interface FastifyInstance {
    pages: Pages
  }
}

/** `dist/pages`, which `scripts/build-pages.js` writes. */
const folder = join(import.meta.dirname, '../../../pages')
const isAsset = (name: string): boolean => /^[\w-]+\.(js|css)$/.test(name)

/** Below these are answers for programs and files of pages, which nobody opens by typing. */
const isForPrograms = (path: string): boolean => /^\/+(auth|system|social|health|pages)(\/|$)/.test(path)

/** The pages for people: their documents, scripts and styles. No file is read before it is asked for. */
export default fp<PagesOptions>(
  async (app, { pages = false, guests = [] }) => {
    const { settings } = app.installation
    const served = (Object.keys(names) as PageName[]).filter((name) => pages && settings.pages[names[name]])
    // A host app may have this decorator already; it takes the folder as an argument.
    if (!app.hasReplyDecorator('sendFile'))
      await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true })
    const filesOf = createPageFiles(folder)
    const policies = { page: pagePolicy(settings), docs: docsPolicy }
    const headersOf = (policy: string) => ({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      vary: 'Accept, Accept-Language, Cookie',
    })
    if (served.includes('sign-in'))
      app.setMissingDocument((request) => {
        const { method, url, headers } = request
        const [path = ''] = url.split('?', 1)
        const isOpened = ['GET', 'HEAD'].includes(method) && asksForHtml(headers.accept)
        if (!isOpened || isForPrograms(path.slice(app.prefix.length))) return undefined
        const html = missingHtml(languageOf(request), baseOf(path, app.prefix))
        return { html, headers: headersOf(policies.page) }
      })
    app.decorate('pages', {
      served,
      async document(page, { url, mayHavePageSession }, language) {
        const [path = ''] = url.split('?', 1)
        const base = baseOf(path, app.prefix)
        const html = pageHtml({ page, files: await filesOf(page), served, guests, language, base, mayHavePageSession })
        return { html, headers: headersOf(policies[page === 'docs' ? page : 'page']) }
      },
      sendAsset(reply, name) {
        if (!isAsset(name)) {
          reply.callNotFound()
          return
        }
        // A name is that of its content.
        void reply.header('vary', 'Accept-Encoding')
        void reply.sendFile(name, folder, { maxAge: '365d', immutable: true })
      },
    })
  },
  { name: 'http/pages' },
)
