import { test } from 'tap'
import { expectProblem } from '../helpers/expect.js'
import { startServer } from '../helpers/server.js'

interface Operation {
  tags: string[]
}

test('without the setting, none of the requests exists, in the document neither', async (t) => {
  const documented = await startServer(t)
  const off = await startServer(t, { settings: { compat: { enabled: false } } })
  const { accessToken: token } = await off.signIn()
  const { paths } = documented.app.swagger() as unknown as { paths: Record<string, Record<string, Operation>> }
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags[0] === 'compat')
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/, '1') })),
  )
  t.ok(requests.length > 15)
  for (const { method, path } of requests) {
    const answer = await off.call(method, path, { token, query: 'id=1', ...(method === 'POST' ? { json: {} } : {}) })
    t.comment(`${method} ${path}`)
    expectProblem(t, answer, 'not_found')
  }
  const document = off.app.swagger() as unknown as { paths: object; tags: { name: string }[] }
  t.notMatch(Object.keys(document.paths).join(' '), /getById|org-roles|\/system\/dict/)
  t.notOk(
    document.tags.some(({ name }) => name === 'compat'),
    'the tag is not named either',
  )
})
