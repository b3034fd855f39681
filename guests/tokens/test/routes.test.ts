import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { root } from '../../../test/helpers/processes/project.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startWithRoutes } from '../../../test/helpers/service/routes.js'

/**
 * What a token gets at each route: `accepted`, `refused` with `token_not_allowed`, or `open` where nobody signs in. A new route has to say it
 * here.
 */
const expected = JSON.parse(readFileSync(join(root, 'guests/tokens/test/routes.json'), 'utf8')) as Record<
  string,
  'accepted' | 'refused' | 'open'
>

test('each route says what an API token gets', async (t) => {
  const { server, routes } = await startWithRoutes(t, { settings: { rateLimits: { signIn: 10_000, list: 10_000 } } })
  const { accessToken } = await server.signIn()
  const made = await server.call('POST', '/auth/tokens', { token: accessToken, json: { name: 'all' } })
  const { token } = expectSuccess(t, made)
  const found: Record<string, string> = {}
  for (const { method, path, access } of routes) {
    const address = path.replace(/:id\b/, '999999').replaceAll(/:\w+/g, 'x')
    const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
    const { status, body } = await server.call(method, address, { token, ...json })
    const name = `${method} ${path}`
    const isRefused = (body as typeof body | undefined)?.data?.reason === 'token_not_allowed'
    found[name] = isRefused ? 'refused' : access === 'open' ? 'open' : 'accepted'
    if (found[name] === 'accepted') t.not(status, 401, name)
  }
  t.strictSame(found, Object.fromEntries(Object.keys(found).map((name) => [name, expected[name]])))
  t.ok(Object.keys(found).length > 80)
})
