import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { startProcess } from '../../helpers/processes/process.js'

for (const level of ['info', 'trace']) {
  test(`log lines at ${level} have request ids, and no query strings, passwords or tokens`, async (t) => {
    const environment = { ROLLCALL_ADMIN_PASSWORD: adminPassword, LOG_LEVEL: level }
    const server = await startProcess(t, { directory: emptyDirectory(t), environment })
    const { accessToken: token } = (await server.signIn('admin', adminPassword)).body.data
    await server.signIn('admin', 'wrong horse battery')
    await server.call('POST', '/auth/login?username=admin&password=query-horse-battery')
    const query = new URLSearchParams({ oldPassword: adminPassword, newPassword: 'a brand new kettle' }).toString()
    t.equal((await server.call('POST', `/auth/changePassword?${query}`, { token })).status, 200)
    await server.call('GET', '/system/user/page?keyword=query-keyword', { token })
    await server.call('GET', '/not/there?secret=query-secret')
    await server.call('DELETE', '/auth/login?secret=query-secret')
    await server.call('GET', '/%zz?secret=query-secret')
    await server.call('POST', '/auth/login', { headers: { 'content-type': 'application/json' }, json: 'body-secret' })
    await server.call('GET', '/auth/userInfo', { token: 'header-secret' })
    const refreshed = (await server.call('POST', '/auth/refreshToken', { token })).body.data.accessToken
    await server.call('POST', '/auth/logout', { token: refreshed })
    const { stdout, stderr } = await server.stop()

    const requests = server.logLines().filter(({ req, res, reqId }) => req ?? res ?? reqId)
    const arrived = requests.filter(({ req }) => req !== undefined)
    t.ok(arrived.length >= 11, 'the requests are in the log')
    for (const line of requests) t.match(line['reqId'], /^[0-9a-f]{8}-[0-9a-f-]{27}$/, JSON.stringify(line))
    t.equal(new Set(arrived.map(({ reqId }) => reqId)).size, arrived.length, 'an id for each')
    t.match(arrived[0]?.['req'], { method: 'POST', path: '/auth/login', address: '127.0.0.1' })

    const secrets = [adminPassword, encodeURIComponent(adminPassword), 'wrong horse battery', 'a brand new kettle']
    const tokens = [token, refreshed, token.split('.')[2], refreshed.split('.')[2]]
    const sent = ['query-horse-battery', 'query-keyword', 'query-secret', 'body-secret', 'header-secret']
    for (const word of [...secrets, ...tokens, ...sent]) {
      t.notOk(stdout.includes(word), `no ${word.slice(0, 20)} on standard output`)
      t.notOk(stderr.includes(word), `no ${word.slice(0, 20)} on standard error`)
    }
    t.notMatch(stdout, /"path":"[^"]*\?/, 'no query string')
    t.notMatch(stdout, /argon2/, 'no hash')
  })
}

test('LOG_LEVEL=silent logs nothing; the output says only where the service is', async (t) => {
  const environment = { ROLLCALL_ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'silent' }
  const server = await startProcess(t, { directory: emptyDirectory(t), environment })
  await server.signIn('admin', adminPassword)
  await server.stop()
  const [first, ready, ...more] = server.logLines().map(({ msg }) => msg)
  t.match([first, ready], [/^First start: /, /^Rollcall is ready: /])
  t.same(more, [])
})
