import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

const lists = ['/auth/online/page', '/system/user/page', '/system/loginLog/page']

test('the home page of somebody without permissions opens no dialog, and shows nobody', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const token = await signInAs(server, 'nobody')
  for (const path of ['/home', '/home?tab=1', '/home#top']) {
    const home = createFrontEnd(server, token, { 'x-page-path': path })
    for (const list of lists) {
      const answer = await home.get(list, { pageNum: 2, pageSize: 5 })
      const empty = { records: [], total: 0, size: 5, current: 2, pages: 0 }
      t.strictSame(expectSuccess(t, answer), empty, `${list} ${path}`)
      t.equal(answer.body.message, 'Success')
      t.notMatch(answer.text, /alice|admin|permission/)
    }
  }
  const home = createFrontEnd(server, token, { 'x-page-path': '/home' })
  for (const query of ['', 'pageNum=0&pageSize=1000', 'pageNum=x&pageSize=-1', 'pageNum=1&pageNum=2'])
    for (const list of lists) {
      const size = query.includes('1000') ? 100 : 10
      t.strictSame(expectSuccess(t, await home.get(list, query)), {
        ...{ records: [], total: 0, size, current: 1, pages: 0 },
      })
    }
})

test('everywhere else they are refused, and so is everything else on the home page', async (t) => {
  const server = await startServer(t)
  const token = await signInAs(server, 'nobody')
  const paths = ['/system/user', '/home/users', '/homepage', '/HOME', 'home', '', ' /home/../system', 'https://x/home']
  for (const list of lists) {
    expectProblem(t, await server.call('GET', list, { token }), 'permission_denied')
    for (const path of paths)
      expectProblem(t, await createFrontEnd(server, token, { 'x-page-path': path }).get(list), 'permission_denied')
  }
  const home = createFrontEnd(server, token, { 'x-page-path': '/home' })
  for (const path of ['/system/role/page', '/system/session/page', '/system/login-log/page', '/system/loginLog/1'])
    expectProblem(t, await home.get(path), 'permission_denied')
  expectProblem(t, await home.query('/auth/online/kickout', { tokenValue: 'x' }), 'permission_denied')
  const headers = { 'x-page-path': '/home' }
  for (const list of lists) {
    expectProblem(t, await server.call('GET', list, { headers }), 'token_missing')
    expectProblem(t, await server.call('GET', list, { headers, token: 'x' }), 'token_invalid')
  }
  const forced = createFrontEnd(server, await signInAs(server, 'forced', { forcePasswordChange: true }), headers)
  for (const list of lists) expectProblem(t, await forced.get(list), 'password_change_required')
})

test('who may see the lists sees them on the home page, and faults of a request stay faults', async (t) => {
  const server = await startServer(t)
  const admin = createFrontEnd(server, (await server.signIn()).accessToken, { 'x-page-path': '/home' })
  for (const list of lists) t.equal(expectSuccess(t, await admin.get(list, { pageNum: 1, pageSize: 1 })).total, 1, list)
  expectProblem(t, await admin.get('/system/user/page', { pageNum: 'x' }), 'invalid_request', ['pageNum'])
})

test('without the second factor that administration asks for, the home page is empty, too', async (t) => {
  const server = await startServer(t, { settings: { secondFactor: { administration: 'aal2' } } })
  const { accessToken: token } = await server.signIn()
  for (const list of lists) {
    const answer = await createFrontEnd(server, token, { 'x-page-path': '/home' }).get(list)
    t.match(expectSuccess(t, answer), { records: [], total: 0 })
    t.equal(answer.headers.get('www-authenticate'), null)
    expectProblem(t, await server.call('GET', list, { token }), 'step_up_required')
  }
})

test('without the setting, the header means nothing', async (t) => {
  const server = await startServer(t, { settings: { compat: { enabled: false } } })
  const token = await signInAs(server, 'nobody')
  const home = createFrontEnd(server, token, { 'x-page-path': '/home' })
  expectProblem(t, await home.get('/system/user/page'), 'permission_denied')
})
