import { test, type Test } from 'tap'
import { startServer, type Answer, type TestServer } from '../helpers/service/server.js'

/** Headers that clients may need; each answer has those that the document names for it, and no other one. */
const documented = [
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'Set-Cookie',
  'ETag',
  'Content-Disposition',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

const namedFor = (server: TestServer, method: string, path: string, status: number): string[] => {
  const { paths, components }: any = server.app.swagger()
  const answer = paths[path][method.toLowerCase()].responses[status]
  const { headers = {} } = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer
  for (const name of Object.keys(headers))
    if (!(name in components.headers)) throw new Error(`${name} is not described`)
  return Object.keys(headers)
}

const compare = (t: Test, server: TestServer, method: string, path: string, answer: Answer) => {
  const named = namedFor(server, method, path, answer.status)
  const sent = documented.filter((name) => answer.headers.has(name))
  t.same(
    sent.filter((name) => !named.includes(name)),
    [],
    `${method} ${path} ${answer.status} sends nothing that is not documented`,
  )
  return { named, sent }
}

test('answers have the headers that the document names', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'on' } })
  await server.addUser('alice')
  const json = { username: 'admin', password: 'correct horse battery' }
  const signIn = await server.call('POST', '/auth/login', { json })
  const token = String(signIn.body.data.accessToken)
  const rows: [string, string, Answer][] = [
    ['POST', '/auth/login', signIn],
    ['POST', '/auth/login', await server.call('POST', '/auth/login', { json: { ...json, password: 'wrong' } })],
    ['GET', '/auth/userInfo', await server.call('GET', '/auth/userInfo')],
    ['GET', '/auth/userInfo', await server.call('GET', '/auth/userInfo', { token })],
    ['GET', '/system/user/page', await server.call('GET', '/system/user/page', { token })],
    ['GET', '/system/user/export', await server.call('GET', '/system/user/export', { token })],
    ['POST', '/auth/refreshToken', await server.call('POST', '/auth/refreshToken', { token })],
  ]
  for (const [method, path, answer] of rows) {
    const { sent } = compare(t, server, method, path, answer)
    t.ok(sent.includes('X-Request-Id'), path)
  }
  const of = (index: number) => rows[index]?.[2].headers
  t.ok(of(0)?.has('set-cookie'))
  t.match(of(0)?.get('x-ratelimit-limit'), /^\d+$/)
  t.ok(of(2)?.has('www-authenticate'))
  t.match(of(5)?.get('content-disposition'), 'attachment')

  const user = await server.call('GET', '/system/user/1', { token })
  t.same(compare(t, server, 'GET', '/system/user/{id}', user).sent, ['X-Request-Id', 'ETag'])
})

test('a refusal for too many requests has Retry-After and the limits', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'on' }, settings: { rateLimits: { captcha: 1 } } })
  await server.call('GET', '/auth/captcha')
  const answer = await server.call('GET', '/auth/captcha')
  t.equal(answer.status, 429)
  const { named, sent } = compare(t, server, 'GET', '/auth/captcha', answer)
  t.same(sent, named, 'all that are named are there')
})
