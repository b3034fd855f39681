import { test } from 'tap'
import { expectSuccess } from '../../test/helpers/service/expect.js'
import { startServer } from '../../test/helpers/service/server.js'

test('times of the login log and of the users who are signed in are those of the setting', async (t) => {
  const server = await startServer(t, { settings: { timeZone: 'Asia/Shanghai' } })
  const { accessToken: token } = await server.signIn()
  // The clock of the test stands at 08:00 UTC, 16:00 in Shanghai.
  const found = async (path: string, query: string) =>
    expectSuccess(t, await server.call('GET', path, { token, query })).records as Record<string, string>[]
  const search = async (query: string) => (await found('/system/loginLog/page', query)).length
  t.equal(await search('startTime=2026-06-01%2016:00:00&endTime=2026-06-01%2016:00:00'), 1)
  t.equal(await search('startTime=2026-06-01%2016:00:01'), 0)
  t.equal(await search('endTime=2026-06-01%2008:00:00'), 0)
  for (const path of ['/system/loginLog/page', '/auth/online/page'])
    t.equal((await found(path, ''))[0]?.['loginTime'], '2026-06-01 16:00:00')
})
