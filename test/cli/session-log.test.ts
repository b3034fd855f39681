import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { adminPassword, userPassword } from '../helpers/service/passwords.js'
import { serve } from '../helpers/service/serve.js'

test('session list shows the live sessions, and session end ends them in a running server', async (t) => {
  const { done, json, run, directory } = await createCli(t)
  const server = await serve(t, directory)
  t.equal(await done('session list admin'), 'User admin has no live session.\n')
  const { accessToken: token } = (await server.signIn('admin', adminPassword)).body.data
  const userInfo = async () => (await server.call('GET', '/auth/userInfo', { token })).body
  const [session] = await json('session list admin')
  t.match(session, { userClient: 'pc', loginIp: '127.0.0.1', loginTime: /Z$/ })
  t.notMatch(JSON.stringify(session), token.split('.')[2])
  expectRefusal(t, await run('session end admin nonsense'), 1, /session "nonsense" is not a live session/)
  t.equal((await userInfo()).code, 200)
  t.equal(await done(`session end admin ${session.id}`), 'Ended 1 session of admin.\n')
  t.equal((await userInfo()).data.reason, 'session_revoked')
  t.same(await json('session end admin'), { username: 'admin', ended: 0 })
})

test('tenant disable ends the sessions of its users for good, and enable lets them sign in again', async (t) => {
  const { done, directory } = await createCli(t)
  const server = await serve(t, directory)
  await done('tenant add Acme')
  await done('user add --username alice --tenant Acme --no-force-change --password-stdin', { input: userPassword })
  const signIn = () =>
    server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword, tenantId: 2 } })
  const { accessToken: token } = (await signIn()).body.data
  t.equal(await done('tenant disable Acme'), 'Tenant Acme is disabled.\n')
  const reason = async () => (await server.call('GET', '/auth/userInfo', { token })).body.data.reason
  t.equal(await reason(), 'session_revoked')
  t.equal((await signIn()).body.data.reason, 'tenant_disabled')
  t.equal((await server.signIn('admin', adminPassword)).status, 200)
  t.equal(await done('tenant enable 2'), 'Tenant Acme is enabled.\n')
  t.equal(await reason(), 'session_revoked', 'the old session stays ended')
  t.equal((await signIn()).status, 200)
})

test('log lists tries to sign in, the latest first', async (t) => {
  const { done, json, run, directory } = await createCli(t)
  t.equal(await done('log'), 'Nobody has tried to sign in.\n')
  const server = await serve(t, directory)
  await server.signIn('admin', adminPassword)
  await server.call('POST', '/auth/login', { json: { username: 'bob', password: 'wrong horse battery' } })
  const output = await done('log')
  t.match(
    output,
    /^\S+Z\ttenant 1\tb\*{6}\tpassword\tpc\t127\.0\.0\.1\tinvalid_credentials\n\S+Z\ttenant 1\tadmin\t.*\tsigned in\n$/,
  )
  t.notMatch(output, 'horse')
  t.match(await json('log --refused --limit 1'), [{ subject: 'b******', userId: null, reason: 'invalid_credentials' }])
  t.match(await json('log --user admin --since 2020-01-01'), [{ subject: 'admin', userId: 1, reason: null }])
  t.match(await done('log --help'), '--tenant <id|name>  only attempts in this tenant')
  expectRefusal(t, await run('log --limit 0'), 2, /must be a number from 1/)
  expectRefusal(t, await run('log --since yesterday'), 2, /must be a time such as/)
})

test('what a browser calls itself moves no cursor of whoever lists the sessions', async (t) => {
  const { done, directory } = await createCli(t)
  const server = await serve(t, directory)
  const headers = { 'user-agent': 'Browser\u009b2J\u0085\tforged\u00ad' }
  const json = { username: 'admin', password: adminPassword }
  t.equal((await server.call('POST', '/auth/login', { json, headers })).status, 200)
  for (const line of ['session list admin', 'session list admin --json']) {
    const output = await done(line)
    t.notMatch(output.replaceAll(/[\n\t]/g, ''), /[\p{C}\p{Zl}\p{Zp}]/u, line)
    t.match(output, /^[^\n]+\n$/, 'one line')
  }
  t.equal((await done('session list admin')).split('\t').length, 6)
  const [session] = JSON.parse(await done('session list admin --json'))
  t.equal(session.userAgent, headers['user-agent'])
})
