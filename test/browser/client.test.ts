import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import type * as clientModule from '../../client/index.js'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { programs } from '../helpers/processes/project.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

const built = readFileSync(join(programs, 'client/index.js'))

test(
  'rollcall/client runs in a browser: one refresh for fifty calls, and the token outlives a reload',
  { skip },
  async (t) => {
    const server = await startServer(t, {
      extend: (app) => {
        const open = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const
        const policy = { 'content-security-policy': "script-src 'self'; connect-src 'self'" }
        const html = '<!doctype html><title>app</title>'
        app.get('/app', open, (_request, reply) => reply.headers(policy).type('text/html').send(html))
        app.get('/client.js', open, (_request, reply) => reply.type('text/javascript').send(built))
      },
    })
    const { page, complaints } = await openBrowser(t)
    const refreshes: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/refreshToken')) refreshes.push(request.url())
    })
    await page.goto(`${server.origin}/app`)

    const inPage = (what: 'sign in' | 'call fifty times' | 'sign out') =>
      page.evaluate(
        async ([what, password]) => {
          const path = '/client.js'
          const { createClient } = (await import(path)) as typeof clientModule
          const kept = (globalThis as any).sessionStorage
          const client = createClient({
            baseUrl: '',
            storage: {
              get: () => kept.getItem('token'),
              set: (token) => (token === null ? kept.removeItem('token') : kept.setItem('token', token)),
            },
          })
          if (what === 'sign in')
            return (await client.signIn({ username: 'admin', password: password ?? '' })).userInfo.username
          if (what === 'sign out') return client.signOut().then(() => String(kept.getItem('token')))
          const users = await Promise.all(Array.from({ length: 50 }, () => client.call('GET /auth/userInfo')))
          return [...new Set(users.map(({ username }) => username))].join()
        },
        [what, adminPassword],
      )

    t.equal(await inPage('sign in'), 'admin')
    server.clock.advance(1801)
    await page.reload()
    t.equal(await inPage('call fifty times'), 'admin')
    t.equal(refreshes.length, 1)
    t.equal(await inPage('sign out'), 'null')
    t.same(
      // Expired tokens, and the icon for which browsers ask.
      complaints.filter((text) => !/\b40[14]\b/.test(text)),
      [],
    )
  },
)
