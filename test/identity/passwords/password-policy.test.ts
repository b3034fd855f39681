import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const settings = { captcha: { mode: 'never' }, serviceName: 'Portal' }

/** A server on which `alice` of the tenant `Brightwater` is signed in. */
const start = async (t: Parameters<typeof startServer>[0]) => {
  const server = await startServer(t, { settings })
  const tenant = await server.operator.addTenant('Brightwater')
  await server.addUser('alice', { tenantId: tenant.id })
  const { accessToken: token } = await server.signIn('alice', userPassword, { tenantId: tenant.id })
  let current = userPassword
  return {
    change: async (newPassword: string) => {
      const json = { oldPassword: current, newPassword }
      const answer = await server.call('POST', '/auth/changePassword', { json, token })
      if (answer.status === 200) current = newPassword
      return answer
    },
    login: (password: string) =>
      server.call('POST', '/auth/login', { json: { username: 'alice', password, tenantId: tenant.id } }),
  }
}

test('P5: a new password that breaks the policy is refused with the reason', async (t) => {
  const alice = await start(t)
  const rows: [sentence: string, password: string, message: RegExp][] = [
    ['7 characters', 'xk4!pQz', /at least 8/],
    ['7 emoji, which are 14 code units', '🦊🐻🐼🐨🐯🦁🐮', /at least 8/],
    ['129 code points', 'ab3'.repeat(43), /at most 128/],
    ['129 emoji', '🦊'.repeat(129), /at most 128/],
    ['a common one', 'password1', /common/],
    ['a common one in capitals', 'PASSWORD1', /common/],
    ['a common one in full width', 'ｐａｓｓｗｏｒｄ１', /common/],
    ['a common one with digits behind', 'password123', /common/],
    ['digits in order', '1234567890', /common/],
    ['keys in a row', 'qwertyuiop', /common/],
    ['letters in order, backwards', 'hgfedcba', /common/],
    ['one character again and again', '88888888', /common/],
    ['a few characters again and again', 'abcabcabc', /common/],
    ['spaces', '        ', /common/],
    ['characters that nobody sees', '\u200b'.repeat(8), /common/],
    ['a common one with a mark behind', 'Password123!', /common/],
    ['the user name twice', 'alicealice', /name/],
    ['the user name and a year', 'Alice2026!', /name/],
    ['the tenant name', 'Brightwater', /name/],
    ['the tenant name and some digits', 'brightwater-123', /name/],
    ['the service name', 'Portal-2026', /name/],
    ['all the names', 'alice@Brightwater.portal', /name/],
    ['the current one', userPassword, /current/],
  ]
  for (const [sentence, password, message] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await alice.change(password)
      expectProblem(t, answer, 'invalid_request', ['newPassword'])
      t.match(answer.body.data.violations[0].message, message)
      t.notOk(answer.text.includes(password), 'the password is not repeated')
    })
  }
  expectSuccess(t, await alice.login(userPassword))
})

test('P4: any other characters are welcome, without rules of composition', async (t) => {
  const alice = await start(t)
  const rows: [sentence: string, password: string][] = [
    ['8 characters', 'xk4!pQzt'],
    ['8 emoji', '🦊🐻🐼🐨🐯🦁🐮🐷'],
    ['128 code points', 'ab3'.repeat(42) + 'xy'],
    ['128 emoji', '🦊🐻🐼🐨🐯🦁🐮🐷'.repeat(16)],
    ['letters only', 'umbrellashopkeeper'],
    ['two letters many times', 'aaaaaaaabbbbbbbb'],
    ['Chinese', '今天天气很好我们去'],
    ['Arabic', 'مرحبا بالعالم'],
    ['spaces inside and at both ends', '  blue   moon tide  '],
    ['quotes, backslashes and markup', `'"\\<b>&amp;%00$\{1}`],
    ['a tab and a line break', 'left\tright\ndown'],
    ['a name among other words', 'alice likes brass kettles'],
  ]
  for (const [sentence, password] of rows) {
    await t.test(sentence, async (t) => {
      expectSuccess(t, await alice.change(password))
      expectSuccess(t, await alice.login(password))
    })
  }
})

test('a password of more than 1024 characters is refused before any work', async (t) => {
  const alice = await start(t)
  expectProblem(t, await alice.change('x'.repeat(1025)), 'invalid_request', ['newPassword'])
  expectProblem(t, await alice.login('x'.repeat(1025)), 'invalid_request', ['password'])
})

test('P1: the shortest length follows the configuration', async (t) => {
  const server = await startServer(t, { settings: { passwords: { minLength: 15 } } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const change = (newPassword: string) =>
    server.call('POST', '/auth/changePassword', { json: { oldPassword: userPassword, newPassword }, token })
  const answer = await change('fourteen chars'.slice(0, 14))
  expectProblem(t, answer, 'invalid_request', ['newPassword'])
  t.match(answer.body.data.violations[0].message, /at least 15/)
  expectSuccess(t, await change('fifteen letters'))
})
