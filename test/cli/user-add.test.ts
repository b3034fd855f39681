import { test } from 'tap'
import { createCli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { serve } from '../helpers/service/serve.js'

const input = userPassword

test('user add says what it did, and the person has to change the password at the first sign-in', async (t) => {
  const { done, directory, content } = await createCli(t)
  const server = await serve(t, directory)
  t.equal(await done('user add --username alice --password-stdin', { input }), 'Added user alice (id 2).\n')
  t.notMatch(JSON.stringify(content()), userPassword, 'stored only as a hash')
  const answer = await server.signIn('alice', userPassword)
  t.match(answer.body, { code: 200, data: { forcePasswordChange: true, userInfo: { realName: 'alice', userType: 2 } } })
  const { accessToken: token } = answer.body.data
  t.match((await server.call('GET', '/system/user/page', { token })).body.data, { reason: 'password_change_required' })
})

test('user add takes every detail, and --no-force-change lets the person in at once', async (t) => {
  const { done, directory, json } = await createCli(t)
  const server = await serve(t, directory)
  const tenant = await json('tenant add Acme')
  await done(`role add reader system:user:list --tenant ${tenant.id}`)
  await done('role add writer system:user:add --tenant Acme')
  const details = ['--real-name', 'Alice Liddell', '--phone', '+86 138 0013 8000', '--email', 'alice@example.com']
  const access = ['--tenant', 'Acme', '--type', 'tenant-admin', '--role', 'reader', '--role', 'writer']
  const args = ['user', 'add', '--username', 'alice', ...details, ...access, '--no-force-change', '--password-stdin']
  const added = JSON.parse(await done([...args, '--json'], { input: `${input}\n` }))
  t.same(added, { id: 2, tenantId: tenant.id, username: 'alice' })
  t.equal((await server.signIn('alice', userPassword)).status, 400, 'not in the default tenant')
  const { data } = (await server.signIn('alice', userPassword, { tenantId: tenant.id })).body
  t.match(data, {
    forcePasswordChange: false,
    userInfo: {
      realName: 'Alice Liddell',
      phone: '13800138000',
      email: 'alice@example.com',
      tenantName: 'Acme',
      userType: 1,
    },
  })
  t.same(data.userInfo.roleKeys.sort(), ['reader', 'writer'])
  t.equal((await server.call('GET', '/system/user/page', { token: data.accessToken })).status, 200)
})

test('a password from standard input is what stands there without the line break at the end', async (t) => {
  const { done, directory } = await createCli(t)
  const server = await serve(t, directory)
  const password = '  spaces stay in it  '
  for (const [username, ending] of [
    ['line-break', '\n'],
    ['windows-line-break', '\r\n'],
    ['two-line-breaks', '\n\n'],
    ['no-line-break', ''],
  ] as const) {
    await done(`user add --username ${username} --password-stdin`, { input: `${password}${ending}` })
    t.equal((await server.signIn(username, password)).status, 200, username)
    t.equal((await server.signIn(username, password.trim())).status, 400, username)
  }
})
