import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { signInAs } from '../../helpers/service/users.js'

test('the last administrator stays, in every way to lose it, also in a race', async (t) => {
  const server = await startServer(t)
  const boss = await signInAs(server, 'boss', { userType: 0, permissions: ['*:*:*'] })
  const admin = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const other = (await server.app.db.users.findByUsername(1, 'boss'))?.id ?? 0
  const token = (await server.signIn()).accessToken
  // Each removes the other; only one of the two can be left.
  const answers = await Promise.all([
    server.call('POST', `/system/user/${admin}/disable`, { token: boss }),
    server.call('POST', `/system/user/${other}/disable`, { token }),
  ])
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  const last = answers[0].status === 200 ? { id: other } : { id: admin }
  // A system administrator without the permission to change users does not count, but may call by one of its own.
  const helper = await signInAs(server, 'helper', {
    userType: 0,
    permissions: ['system:user:delete', 'system:user:reset', 'system:user:add'],
  })
  expectProblem(t, await server.call('DELETE', `/system/user/${last.id}`, { token: helper }), 'last_administrator')
  await server.operator.addRole('edits', 'Edits', ['system:user:edit'])
  const second = await signInAs(server, 'second', { userType: 1, permissions: ['system:user:edit'] })
  expectProblem(t, await server.call('POST', `/system/user/${last.id}/disable`, { token: second }), 'permission_denied')
  t.equal((await server.app.db.users.find(last.id))?.userStatus, 1)
  t.same((await server.app.db.roles.grantsOf(last.id)).permissions, ['*:*:*'])
})

test('only an administrator who has a way to sign in is the one who stays', async (t) => {
  const issuer = 'https://accounts.example.com'
  const provider = { platform: 'corporate', kind: 'oidc', issuer, clientId: 'x', clientSecret: 'x' }
  const settings = federation([{ ...provider, redirectUris: ['https://app.example.com/social'] }])
  const { server, mailedCode, post } = await startWithMessages(t, { settings })
  const { app, operator } = server
  const { db, login, management, accounts } = app
  const idOf = async (username: string) => (await db.users.findByUsername(1, username))?.id ?? 0
  const admin = await idOf('admin')
  await signInAs(server, 'helper', { userType: 0, permissions: ['system:user:delete'] })
  const remove = async (id: number) =>
    server.call('DELETE', `/system/user/${id}`, { token: (await server.signIn('helper')).accessToken })
  const staysAlone = async (why: string) => {
    expectProblem(t, await remove(admin), 'last_administrator')
    await t.rejects(operator.setEnabled('admin', false), { code: 'last_administrator' }, why)
    t.equal((await db.users.find(admin))?.userStatus, 1, why)
  }
  const needNotStay = async (why: string) => {
    await t.resolves(operator.setEnabled('admin', false), why)
    await operator.setEnabled('admin', true)
  }
  const methods = (change: { disable?: string[]; enable?: string[] }) =>
    login.ofTenant.change(operatorActor(), 1, { disable: [], enable: [], ...change })

  const token = (await server.signIn()).accessToken
  const file = 'username,realName,userType,roles\r\nghost,G,0,admin'
  t.match(expectSuccess(t, await importFile(server, token, file)), { added: 1 })
  const email = 'guest@example.com'
  const json = { username: 'guest', email, userType: 0, roleKeys: ['admin'] }
  const code = await mailedCode(async () =>
    expectSuccess(t, await server.call('POST', '/system/user', { token, json })),
  )
  await staysAlone('one has no password and no contact, the other one has not used the invitation')
  const [ghost, guest] = [await idOf('ghost'), await idOf('guest')]

  const link = (of: string) =>
    db.identities.add({
      ...{ userId: ghost, tenantId: 1, platform: 'corporate', subject: 'g', displayName: null, createTime: 1 },
      issuer: of,
    })
  await link('https://before.example.com')
  await staysAlone('the linked identity is of a provider that is not configured')
  await link(issuer)
  await needNotStay('the linked identity signs in')
  await methods({ disable: ['oauth2', 'social'] })
  await staysAlone('the tenant allows no linked identities')
  expectSuccess(t, await remove(ghost))

  await accounts.verifyContacts('guest', { phone: false, email: true })
  await needNotStay('codes are sent to the verified address')
  await management.edit(operatorActor(), guest, { email: 'other@example.com' })
  await staysAlone('another address than the verified one')
  await management.edit(operatorActor(), guest, { email })
  expectSuccess(t, await post('/auth/password/reset', { recipient: email, code, newPassword: 'violet umbrella stand' }))
  await methods({ disable: ['email_captcha'] })
  await needNotStay('the invitation was used')
  expectSuccess(t, await remove(guest))

  await operator.addUser({
    username: 'late',
    password: userPassword,
    userType: 0,
    roles: ['admin'],
    forcePasswordChange: true,
  })
  await needNotStay('the password that an administrator has set can be used')
  server.clock.advance(30 * 24 * 3600)
  await staysAlone('that password was not changed in time')
  await methods({ disable: ['password', 'password_captcha'], enable: ['email_captcha'] })
  await operator.setEnabled('late', false)
  await t.rejects(operator.setEnabled('admin', false), { code: 'last_administrator' }, 'also where nobody can sign in')
  await methods({ enable: ['password', 'password_captcha'] })
  await server.signIn()
})

test('no command takes the only way in of the last administrator who can sign in', async (t) => {
  const issuer = 'https://accounts.example.com'
  const provider = { platform: 'corporate', kind: 'oidc', issuer, clientId: 'x', clientSecret: 'x' }
  const settings = federation([{ ...provider, redirectUris: ['https://app.example.com/social'] }])
  const { server } = await startWithMessages(t, { settings })
  const { accounts, db, login, management } = server.app
  const token = (await server.signIn()).accessToken
  expectSuccess(t, await importFile(server, token, 'username,realName,userType,roles\r\nghost,G,0,admin'))
  const ghost = await accounts.findUser('ghost')
  const remove = (id?: number) => management.identities.removeOf(operatorActor(), ghost, id)
  const userId = ghost.id
  const identity = { userId, tenantId: 1, platform: 'corporate', issuer, displayName: null, createTime: 1 }
  await db.identities.add({ ...identity, subject: 'one' })
  await db.identities.add({ ...identity, subject: 'two' })
  const change = (methods: { disable?: string[]; enable?: string[] }) =>
    management.changeMethods(operatorActor(), 1, { disable: [], enable: [], ...methods })
  const passwords = ['password', 'password_captcha']
  const identities = ['oauth2', 'social']

  await change({ disable: passwords })
  const refusal = { code: 'last_administrator' }
  await t.rejects(change({ disable: identities }), refusal)
  t.strictSame(
    (await login.ofTenant.offered(1)).map(({ name }) => name),
    ['phone_captcha', 'email_captcha', ...identities, 'passkey'],
    'nothing has changed',
  )
  await t.rejects(remove(), refusal)
  t.equal((await db.identities.ofUser(userId)).length, 2, 'nothing has changed')
  const [first] = await db.identities.ofUser(userId)
  t.equal(await remove(first?.id), 1)
  await t.rejects(remove(), refusal)

  await change({ enable: passwords })
  await change({ disable: identities })
  t.equal(await remove(), 1)
  await server.signIn()
})
