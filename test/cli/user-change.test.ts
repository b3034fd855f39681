import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { expectProblem } from '../helpers/service/expect.js'
import { createOperator } from '../helpers/service/operator.js'
import { userPassword } from '../helpers/service/passwords.js'
import { serve } from '../helpers/service/serve.js'
import type { Test } from 'tap'

const otherPassword = 'a brand new kettle'
const thirdPassword = 'a kettle of long ago'

/** A running server, and alice with a session on it. */
const withAlice = async (t: Test) => {
  const cli = await createCli(t)
  const server = await serve(t, cli.directory)
  await cli.done('user add --username alice --no-force-change --password-stdin', { input: userPassword })
  const signIn = (password = userPassword) => server.signIn('alice', password)
  const { accessToken: token } = (await signIn()).body.data
  return { cli, server, signIn, userInfo: () => server.call('GET', '/auth/userInfo', { token }) }
}

test('user disable ends the sessions in the running server at once, and enable lets the person in again', async (t) => {
  const { cli, signIn, userInfo } = await withAlice(t)
  t.equal((await userInfo()).status, 200)
  t.equal(await cli.done('user disable alice'), 'User alice is disabled.\n')
  expectProblem(t, await userInfo(), 'session_revoked')
  expectProblem(t, await signIn(), 'account_disabled')
  expectProblem(t, await signIn('wrong green teapot'), 'invalid_credentials')
  t.same(await cli.json('user enable alice'), { id: 2, username: 'alice' })
  t.equal((await signIn()).status, 200)
  t.equal((await userInfo()).status, 401, 'the old session stays ended')
})

test('user passwd sets the password, ends the sessions and forces a change, unless it may stay', async (t) => {
  const { cli, signIn, userInfo } = await withAlice(t)
  const output = await cli.done('user passwd alice --password-stdin', { input: `${otherPassword}\n` })
  t.equal(output, 'The password of alice is set; the sessions of the user have ended.\n')
  t.notMatch(output, otherPassword)
  expectProblem(t, await userInfo(), 'session_revoked')
  expectProblem(t, await signIn(), 'invalid_credentials')
  t.match((await signIn(otherPassword)).body, { code: 200, data: { forcePasswordChange: true } })
  const line = 'user passwd alice --no-force-change --password-stdin'
  t.same(await cli.json(line, { input: thirdPassword }), { id: 2, username: 'alice', linkedIdentities: 0 })
  expectProblem(t, await signIn(otherPassword), 'invalid_credentials')
  t.match((await signIn(thirdPassword)).body, { code: 200, data: { forcePasswordChange: false } })
})

test('user unlock lifts the pause after failed sign-ins at once', async (t) => {
  const { cli, signIn } = await withAlice(t)
  const reasons: string[] = []
  for (let tries = 0; tries < 8; tries++) reasons.push((await signIn('wrong green teapot')).body.data.reason)
  t.match(reasons.at(-1), /captcha_required|too_many_attempts/, reasons.join())
  t.not((await signIn()).status, 200)
  t.equal(await cli.done('user unlock alice'), 'User alice may try to sign in again.\n')
  t.equal((await signIn()).status, 200)
})

test('user unlock lifts a ban and says so, and that who is disabled stays so', async (t) => {
  const { server, cli, signIn } = await withAlice(t)
  const { id } = await cli.json('user show alice')
  await createOperator(server.app).ban(id)
  const [shown] = (await cli.json('user list --search alice')).records
  t.match(shown, { userStatus: 1, bannedUntil: /^\d{4}-/ })
  t.match(await cli.done('user list --search alice'), `\t${shown.bannedUntil}\n`)
  t.match(await cli.done('user show alice'), `bannedUntil\t${shown.bannedUntil}`)
  const done = 'User alice may try to sign in again.'
  t.equal(await cli.done('user unlock alice'), `${done} The ban until ${shown.bannedUntil} is lifted.\n`)
  t.equal((await signIn()).status, 200)
  t.equal(await cli.done('user unlock alice'), `${done}\n`)
  t.match((await cli.json('audit --action user.unban')).records, { length: 1 })
  t.same(await cli.json('user unlock alice'), { id: 2, username: 'alice', liftedBan: null, isDisabled: false })
  await createOperator(server.app).ban(id)
  await cli.done('user disable alice')
  t.match(
    await cli.done('user unlock alice'),
    /^User alice stays disabled; see rollcall user enable\. The ban until .* is lifted\.\n$/,
  )
  expectProblem(t, await signIn(), 'account_disabled')
})

test('user unban ends a ban, and is in the audit trail only then', async (t) => {
  const { server, cli, signIn } = await withAlice(t)
  const { id } = await cli.json('user show alice')
  await createOperator(server.app).ban(id)
  expectProblem(t, await signIn(), 'account_banned')
  for (let times = 0; times < 2; times++) t.equal(await cli.done('user unban alice'), 'User alice is not banned.\n')
  t.equal((await signIn()).status, 200)
  const { records } = await cli.json('audit --action user.unban')
  t.match(records, [{ source: 'command line', before: { bannedUntil: /^\d{4}-/ } }])
})

test('user verify names the contacts that are verified, and refuses where there are none', async (t) => {
  const cli = await createCli(t)
  await cli.done('user add --username bob --phone 13800138000 --email bob@example.com --password-stdin', {
    input: otherPassword,
  })
  t.equal(await cli.done('user verify bob'), 'Verified for bob: +8613800138000, bob@example.com.\n')
  t.same(await cli.json('user verify bob --email'), { username: 'bob', verified: ['bob@example.com'] })
  expectRefusal(t, await cli.run('user verify admin --phone'), 1, /phone/)
  expectRefusal(t, await cli.run('user verify nobody'), 1, /username/)
})

test('user disable keeps the last administrator who can sign in, whoever was imported without a password', async (t) => {
  const cli = await createCli(t)
  const file = join(cli.directory, 'users.csv')
  writeFileSync(file, 'username,realName,userType,roles\r\nghost,G,0,admin\r\n')
  await cli.done(`user import ${file}`)
  expectRefusal(t, await cli.run('user disable admin'), 1, /administrator/)
  t.match(await cli.json('user show admin'), { userStatus: 1 })
  await cli.done('user passwd ghost --password-stdin', { input: otherPassword })
  t.same(await cli.json('user disable admin'), { id: 1, username: 'admin' })
  expectRefusal(t, await cli.run('user disable ghost'), 1, /administrator/)
})

test('users are found by tenant, by id and by name of the tenant', async (t) => {
  const cli = await createCli(t)
  const tenant = await cli.json('tenant add Acme')
  for (const name of ['Default', 'Acme']) {
    await cli.done(`user add --username alice --tenant ${name} --password-stdin`, { input: userPassword })
  }
  for (const name of [String(tenant.id), 'Acme']) {
    t.same(await cli.json(`user disable alice --tenant ${name}`), { id: 3, username: 'alice' })
  }
  t.same(await cli.json('user disable alice'), { id: 2, username: 'alice' })
})

test('commands on users refuse with the reason and change nothing', async (t) => {
  const { run, content } = await createCli(t)
  const before = content()
  const unknownUser = 'error: username "nobody" is not a known user of this tenant\n'
  const unknownTenant = (tenant: string) => `error: tenant "${tenant}" is not a known tenant\n`
  for (const [line, message, input] of [
    ['user disable nobody', unknownUser],
    ['user enable nobody', unknownUser],
    ['user unlock nobody', unknownUser],
    ['user unban nobody', unknownUser],
    ['user passwd nobody --password-stdin', unknownUser, userPassword],
    ['user disable admin --tenant 7', unknownTenant('7')],
    ['user enable admin --tenant Nix', unknownTenant('Nix')],
    ['user passwd admin --tenant 7 --password-stdin', unknownTenant('7'), userPassword],
    ['user passwd admin --password-stdin', 'error: password must have at least 8 characters\n', 'ab cd'],
    [
      'user passwd admin --password-stdin',
      'error: password is a common password, please choose another\n',
      'password1',
    ],
  ] as const) {
    await t.test(`${line}: ${message.trim()}`, async (t) => {
      const outcome = await run(line, input === undefined ? {} : { input })
      expectRefusal(t, outcome, 1, message)
      if (input !== undefined) t.notMatch(outcome.stderr, input)
      t.same(content(), before)
    })
  }
  expectRefusal(t, await run('user passwd admin'), 2, /--password-stdin/)
  expectRefusal(
    t,
    await run('user passwd admin --password-stdin'),
    2,
    /standard input is empty; it must contain the password/,
  )
  t.same(content(), before)
})
