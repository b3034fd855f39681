import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Language } from '../../../schemas/problems.js'
import { createPageFiles } from './page-files.js'
import { baseOf, pageHtml } from './page-html.js'
import { pagePolicy } from './policy.js'

export interface PagesOptions {
  /** Whether to serve the pages for people. An app around the service may have these addresses itself. */
  pages?: boolean
}

/** In the order in which they are built. */
const names = { 'sign-in': 'signIn', account: 'account', console: 'console' } as const
type PageName = keyof typeof names

interface Pages {
  /** Those that are switched on. */
  served: readonly PageName[]
  /** The document of a page and its headers. `path` is that of the request, without the query. */
  document: (
    page: PageName,
    path: string,
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

/** The pages for people: their documents, scripts and styles. No file is read before it is asked for. */
export default fp<PagesOptions>(
  async (app, { pages = false }) => {
    const { settings } = app.installation
    const served = (Object.keys(names) as PageName[]).filter((name) => pages && settings.pages[names[name]])
    // A host app may have this decorator already; it takes the folder as an argument.
    if (served.length > 0 && !app.hasReplyDecorator('sendFile'))
      await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true })
    const filesOf = createPageFiles(folder)
    const policy = pagePolicy(settings)
    app.decorate('pages', {
      served,
      async document(page, path, language) {
        const html = pageHtml({ page, files: await filesOf(page), served, language, base: baseOf(path, app.prefix) })
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          vary: 'Accept, Accept-Language',
        }
        return { html, headers }
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
  { name: 'http/pages', dependencies: ['http', 'run/config'] },
)
