import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

test('no two users differ by the spelling of ß, and every spelling signs in', async (t) => {
  const server = await startServer(t)
  await server.addUser('Weiß', { email: 'weiß@example.com' })
  for (const username of ['WEIẞ', 'weiẞ', 'weiss']) {
    await t.rejects(server.addUser(username), { code: 'invalid_request' }, username)
    await t.rejects(server.addUser(`x${username}`, { email: `${username}@example.com` }), { code: 'invalid_request' })
    const answer = await server.call('POST', '/auth/login', { json: { username, password: userPassword } })
    t.equal(answer.body.data.userInfo?.username, 'Weiß')
  }
})

test('failures of all spellings of a name count together', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  const spellings = ['weiß', 'WEIẞ', 'weiẞ', 'WEISS', 'weiSS']
  for (const username of spellings) {
    const answer = await server.call('POST', '/auth/login', { json: { username, password: 'x' } })
    expectProblem(t, answer, 'invalid_credentials')
  }
  const answer = await server.call('POST', '/auth/login', { json: { username: 'weiss', password: 'x' } })
  expectProblem(t, answer, 'too_many_attempts')
})
