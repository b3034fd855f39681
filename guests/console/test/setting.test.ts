import { test } from 'tap'
import { expectProblem } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'

interface Operation {
  tags: string[]
}

test('without the setting, none of the requests exists, and neither do the document and its entry', async (t) => {
  const documented = await startServer(t)
  const off = await startServer(t, { settings: { compat: { enabled: false } } })
  const { accessToken: token } = await off.signIn()
  const document = JSON.parse((await documented.call('GET', '/openapi-compat.json')).text) as {
    paths: Record<string, Record<string, Operation>>
  }
  const requests = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/, '1') })),
  )
  t.ok(requests.length > 15)
  for (const { method, path } of [...requests, { method: 'GET', path: '/openapi-compat.json' }]) {
    const answer = await off.call(method, path, { token, query: 'id=1', ...(method === 'POST' ? { json: {} } : {}) })
    t.comment(`${method} ${path}`)
    expectProblem(t, answer, 'not_found')
  }
  const key = await off.call('GET', '/crypto/public-key')
  expectProblem(t, key, 'not_found')
  t.same(key.body.data, { reason: 'not_found' }, 'a client that asks for a key takes a plain 404 for none')
  t.notMatch(key.text, /key|algorithm/i)
  t.strictSame(off.app.swagger(), documented.app.swagger(), 'openapi.json is the same')
  const entries = async ({ call }: typeof off) => JSON.parse((await call('GET', '/docs/documents.json')).text) as object
  t.strictSame(await entries(off), { urls: [{ name: 'Rollcall', url: 'json' }] })
  t.match(await entries(documented), { urls: [{ url: 'json' }, { url: '../openapi-compat.json' }] })
})
