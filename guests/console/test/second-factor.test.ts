import { test } from 'tap'
import { cookiesOf, enrol, firstStep, secondStep, signInTwice } from '../../../test/helpers/service/factors.js'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, type TestServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

const languages = ['en', 'zh-CN'] as const
const publicUrl = 'https://id.example.com/iam'

const messagesOf = async (server: TestServer, username: string, reason: 'required' | 'setup_required') => {
  const messages: string[] = []
  for (const language of languages) {
    const { body, status } = await firstStep(server, username, { headers: { 'accept-language': language } })
    if (status !== 403 || body.data.reason !== `second_factor_${reason}`) throw new Error(body.message)
    messages.push(body.message)
  }
  return messages
}

test('who has a second factor is told where it can be used, and which setting keeps the way open', async (t) => {
  const server = await startServer(t, { settings: { publicUrl } })
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const [english = '', chinese = ''] = await messagesOf(server, 'alice', 'required')
  for (const message of [english, chinese]) {
    t.match(message, `${publicUrl}/sign-in`)
    t.match(message, 'secondFactor.trustDays')
  }
  t.match(english, /^A second step is needed, which this page cannot ask for: .*trust this browser there/)
  t.match(chinese, /^需要第二步验证，而此页面不支持：.*信任此设备/)
  // What the message says comes true.
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const trusted = await secondStep(server, { ticket, code: app.nextCode(), trustDevice: true })
  expectSuccess(t, trusted)
  const json = { tenantId: null, appId: 'x', encrypted: true }
  expectSuccess(t, await firstStep(server, 'alice', { headers: { cookie: cookiesOf(trusted) }, json }))
})

test('without trusted browsers the message does not send people to one', async (t) => {
  const server = await startServer(t, { settings: { publicUrl, secondFactor: { trustDays: 0 } } })
  await server.addUser('alice')
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  const [english = '', chinese = ''] = await messagesOf(server, 'alice', 'required')
  t.notMatch(english, /trust this browser there, then/)
  t.match(english, /secondFactor\.trustDays above 0/)
  t.match(chinese, /secondFactor\.trustDays 设为大于 0/)
})

test('who has to set one up is told where, and what decides who needs one', async (t) => {
  const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 0 } } })
  await server.addUser('alice')
  const [english = '', chinese = ''] = await messagesOf(server, 'alice', 'setup_required')
  t.match(english, /^Your administrator requires a second factor, .*set one up at \/sign-in of this service/)
  t.match(chinese, /^管理员要求启用第二步验证，.*本服务的 \/sign-in/)
  for (const message of [english, chinese])
    for (const name of ['secondFactor.policy', 'secondFactorRequired', 'factorExempt', 'secondFactor.trustDays'])
      t.match(message, name)
})

test('a menu shows no page that the session may not open', async (t) => {
  const server = await startServer(t, { settings: { publicUrl, secondFactor: { administration: 'aal2' } } })
  const permissions = ['*:*:*']
  const token = await signInAs(server, 'boss', { userType: 1, permissions })
  const once = createFrontEnd(server, token)
  t.strictSame(expectSuccess(t, await once.get('/auth/current/menu')), [])
  for (const [language, text] of [
    ['en', /^Administration needs a second factor .*\/console\. .*secondFactor\.administration: aal1/],
    ['zh-CN', /^管理功能需要在会话中完成第二步验证.*\/console .*secondFactor\.administration 设为 aal1/],
  ] as const)
    for (const path of ['/auth/online/page', '/system/loginLog/page', '/system/org/lazyTree', '/system/user/page']) {
      const headers = { 'accept-language': language, 'x-page-path': '/system/user' }
      const answer = await createFrontEnd(server, token, headers).get(path)
      expectProblem(t, answer, 'step_up_required')
      t.match(answer.body.message, text, path)
    }
  const app = await enrol(t, server, token)
  const twice = createFrontEnd(server, await signInTwice(t, server, 'boss', app))
  const [folder] = expectSuccess(t, await twice.get('/auth/current/menu'))
  t.equal(folder.children.length, 3, 'with two factors all of them')
  const open = await startServer(t)
  const plain = createFrontEnd(open, await signInAs(open, 'boss', { userType: 1, permissions }))
  t.equal(expectSuccess(t, await plain.get('/auth/current/menu')).length, 1, 'and where administration asks for none')
})

test('without the setting, the sign-in says what it says to every client', async (t) => {
  const server = await startServer(t, { settings: { compat: { enabled: false } } })
  await server.addUser('alice')
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  const [english = ''] = await messagesOf(server, 'alice', 'required')
  t.match(english, /^A second step is needed: enter the code/)
})
