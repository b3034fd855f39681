import { test } from 'tap'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { createFrontEnd } from './front-end.js'

test('times of the login log and of online users are local times of the setting, both ways', async (t) => {
  const server = await startServer(t, { settings: { timeZone: 'Asia/Shanghai' } })
  const { id: userId } = await server.addUser('alice')
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  // The clock of the test stands at 08:00 UTC, 16:00 in Shanghai.
  const found = async (path: string, query: string) => {
    const answer = await frontEnd.get(path, query)
    t.notMatch(answer.text, /\d\dT\d\d:|\d\dZ|\+08/, 'no form that would be cut off')
    return expectSuccess(t, answer).records as Record<string, string | number>[]
  }
  const search = async (query: string) => (await found('/system/loginLog/page', query)).length
  t.equal(await search('startTime=2026-06-01%2016:00:00&endTime=2026-06-01%2016:00:00'), 1)
  t.equal(await search('startTime=2026-06-01%2016:00:01'), 0)
  t.equal(await search('endTime=2026-06-01%2008:00:00'), 0, 'not read as UTC')
  t.equal(await search('startTime=2026-06-01T08:00:00Z'), 1, 'a time with its offset is read as it says')
  const [login] = await found('/system/loginLog/page', '')
  t.equal(login?.['loginTime'], '2026-06-01 16:00:00')
  const one = expectSuccess(t, await frontEnd.get(`/system/loginLog/${String(login?.['id'])}`))
  t.equal(one.loginTime, '2026-06-01 16:00:00')
  const [row] = await found('/auth/online/page', '')
  t.match(row, { loginTime: '2026-06-01 16:00:00', lastActivityTime: '2026-06-01 16:00:00' })
  t.match(row?.['expireTime'], /^2026-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expectSuccess(t, await frontEnd.query('/auth/online/ban', { userId, banSeconds: 8 * 3600, reason: '' }))
  const [banned] = await found('/auth/online/page', '')
  t.match(banned, { userId, expireTime: '2026-06-02 00:00:00' })
  const refused = await server.call('POST', '/auth/login', { json: { username: 'alice', password: 'wrong' } })
  t.notMatch(refused.text, /2026-06/, 'the end of a ban is told to those who know the password only')
})
