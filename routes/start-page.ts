import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cutOffOpener } from '../lib/opener-policy.js'
import { asksForJson } from '../lib/asks-for-json.js'
import { problem } from '../lib/problem.js'

const signInLink = (base: string) => `<li><a href="${base}sign-in">The sign-in page</a></li>\n`

/** `base` is where the service is, relative to the page: a proxy may take a prefix away that nobody here knows. */
const pageOf = (base: string, hasSignIn: boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rollcall</title>
</head>
<body>
<h1>Rollcall</h1>
<p>This is an authentication service: it signs users in and issues their tokens.${hasSignIn ? '' : ' It has no pages for users; applications call it.'}</p>
<ul>
${hasSignIn ? signInLink(base) : ''}<li><a href="${base}docs/">All endpoints</a>, and a way to try them</li>
<li><a href="${base}openapi.json">The OpenAPI document</a></li>
<li><a href="${base}health/ready">Whether the service is ready</a></li>
</ul>
</body>
</html>
`

/** Not in the OpenAPI document: a page for people who open the address of the service in a browser. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  const { served } = app.pages
  // In a host app the page is also at its prefix without a slash, from where relative addresses begin one level higher.
  const withoutSlash = `./${app.prefix.split('/').at(-1) ?? ''}/`
  const baseOf = (url: string) => (url.split('?')[0]?.endsWith('/') ? './' : withoutSlash)
  app.get('/', { config: { access: 'open', envelope: false }, schema: { hide: true } }, async (request, reply) => {
    if (asksForJson(request.headers.accept)) throw problem('not_found')
    const base = baseOf(request.url)
    void reply.header('vary', 'Accept')
    if (served.includes('account')) return reply.redirect(`${base}account`, 303)
    cutOffOpener(reply)
    void reply.type('text/html; charset=utf-8')
    return pageOf(base, served.includes('sign-in'))
  })
}

export default route
