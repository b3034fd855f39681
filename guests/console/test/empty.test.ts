import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

const page = { records: [], total: 0, size: 5, current: 1, pages: 0 }
/** Sent before the sign-in, too, with whatever token the browser has kept. */
const open: [path: string, answer: unknown][] = [
  ['/auth/tenant/options', []],
  ['/crypto/public-key', {}],
  ['/system/demo/status', {}],
]
const everywhere: [path: string, answer: unknown][] = [
  ['/api/config/manage/watermark', {}],
  ['/api/message/unread/count', 0],
  ['/api/message/page', page],
  ['/api/message/bizType/list/enabled', []],
  ['/system/notice/user/page', page],
]

test('what the front end asks for before the sign-in is empty, whatever token it has kept', async (t) => {
  const server = await startServer(t)
  await server.operator.addTenant('Other')
  const { accessToken: ended } = await server.signIn()
  expectSuccess(t, await server.call('POST', '/auth/logout', { token: ended }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: ended }), 'session_revoked')
  const headers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${ended}` },
    { authorization: 'Bearer undefined' },
    { authorization: 'null' },
  ]
  for (const [path, answer] of open)
    for (const one of headers) {
      const found = await server.call('GET', path, { headers: one })
      t.strictSame(expectSuccess(t, found), answer, `${path} ${JSON.stringify(one)}`)
      t.notMatch(found.text, /Default|Other/, 'no tenant shows')
    }
})

test('what every page asks for is empty, also before a forced change of the password', async (t) => {
  const server = await startServer(t)
  const forced = await signInAs(server, 'forced', { forcePasswordChange: true })
  const plain = await signInAs(server, 'plain')
  expectProblem(t, await server.call('GET', '/system/post/list', { token: forced }), 'password_change_required')
  for (const token of [forced, plain])
    for (const [path, answer] of [...open, ...everywhere])
      t.strictSame(
        expectSuccess(t, await createFrontEnd(server, token).get(path, 'pageNum=1&pageSize=5')),
        answer,
        path,
      )
  for (const [path] of everywhere) {
    expectProblem(t, await server.call('GET', path), 'token_missing')
    expectProblem(t, await server.call('GET', path, { token: 'x' }), 'token_invalid')
  }
})

test('an empty page has all numbers of a page, those that were asked for', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const path of ['/api/message/page', '/system/notice/user/page']) {
    const page = async (query: string) => expectSuccess(t, await createFrontEnd(server, token).get(path, query))
    const empty = { records: [], total: 0, pages: 0 }
    t.strictSame(await page(''), { ...empty, size: 10, current: 1 })
    t.strictSame(await page('pageNum=3&pageSize=20'), { ...empty, size: 20, current: 3 })
    t.strictSame(await page('pageNum=0&pageSize=1000&isAsc=DESC'), { ...empty, size: 100, current: 1 })
    const wrong = await createFrontEnd(server, token).get(path, 'pageNum=x')
    expectProblem(t, wrong, 'invalid_request', ['pageNum'])
  }
})
