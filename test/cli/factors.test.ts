import { test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { databaseUrlOf } from '../helpers/databases/database.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { startProcess } from '../helpers/processes/process.js'
import { codeAt } from '../helpers/service/factors.js'
import { userPassword } from '../helpers/service/passwords.js'

const add = (name: string, more = '') => `user add --username ${name} --no-force-change --password-stdin ${more}`

test('user factors, reset-factors and exempt show, remove and exempt', async (t) => {
  const { directory, done, json, run } = await createCli(t)
  await done(add('alice'), { input: userPassword })
  t.equal(
    await done('user factors alice'),
    '0 recovery codes left, 0 trusted devices.\nA second factor is not required.\n',
  )
  const server = await startProcess(t, { directory })
  const { accessToken: token } = (await server.signIn('alice', userPassword)).body.data
  const begun = (await server.call('POST', '/auth/factors/totp', { token, json: {} })).body.data
  const confirmed = await server.call('POST', '/auth/factors/totp/confirm', {
    token,
    json: { key: begun.key, code: codeAt(begun.secret, Date.now()), name: 'My phone' },
  })
  t.equal(confirmed.status, 200, confirmed.text)
  const text = await done('user factors alice')
  t.match(text, /^[\w-]{22}\ttotp\tMy phone\t\S+Z\t\S+Z\n10 recovery codes left, 0 trusted devices\.\n/)
  t.notMatch(text, begun.secret)
  t.match(await json('user factors alice'), {
    ...{ policy: 'optional', exempt: false, deadline: null, recoveryCodesLeft: 10 },
    factors: [{ kind: 'totp', name: 'My phone' }],
  })
  const listed = async (options: string) => (await done(`user list ${options}`)).split('\n')
  t.match((await listed('--second-factor yes'))[0], /\talice\talice\tnormal\t\tyes\t$/)
  t.match((await listed('--second-factor no'))[0], /\tadmin\t[^\t]+\tnormal\tadmin\tno\t$/)
  t.equal((await json('user list --second-factor no')).total, 1)
  expectRefusal(t, await run('user list --second-factor maybe'), 2, /yes, no/)

  expectRefusal(t, await run('user reset-factors alice'), 2, /confirm it by --yes/)
  expectRefusal(t, await run('user reset-factors nobody --yes'), 1, /is not a known user/)
  t.equal(await done('user reset-factors alice --yes'), 'Removed 1 second factor of alice.\n')
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 401)
  t.match(await json('user reset-factors alice --yes'), { username: 'alice', removed: 0 })

  t.equal(await done('user exempt alice'), 'User alice is exempt from required second factors.\n')
  t.equal((await json('user show alice')).factorExempt, true)
  t.match(await done('user factors alice'), /No policy asks for a second factor\.\n$/)
  t.strictSame(await json('user exempt alice --off'), { id: 2, username: 'alice', factorExempt: false })
  t.equal((await json('user show alice')).factorExempt, false)
  const rows = (await json('audit')).records ?? (await json('audit'))
  const actions = rows.map(({ action }: { action: string }) => action)
  t.match(actions.slice(0, 3), ['user.exempt', 'user.exempt', 'user.factors'])
})

test('tenant factors and role factors require a second factor, and no longer require it', async (t) => {
  const { done, json, run } = await createCli(t)
  await done('tenant add Acme')
  await done('role add clerk --tenant Acme')
  await done(add('alice', '--tenant Acme --role clerk'), { input: userPassword })
  const policy = async () => (await json('user factors alice --tenant Acme')).policy
  t.equal(await done('tenant factors Acme --required'), 'A second factor is required in the tenant Acme.\n')
  t.equal(await policy(), 'required')
  t.match(await done('user factors alice --tenant Acme'), /A second factor is required\.\n$/)
  t.strictSame(await json('tenant factors 2 --optional'), { id: 2, name: 'Acme', secondFactorRequired: false })
  t.equal(await policy(), 'optional')
  t.equal(
    await done('role factors clerk --required --tenant Acme'),
    'A second factor is required of users with the role clerk.\n',
  )
  t.equal(await policy(), 'required')
  t.match(await json('role factors clerk --optional --tenant Acme'), { key: 'clerk', secondFactorRequired: false })
  t.equal(await policy(), 'optional')
  for (const line of ['tenant factors Acme', 'role factors clerk --tenant Acme'])
    expectRefusal(t, await run(line), 2, /--required or --optional/)
  expectRefusal(t, await run('tenant factors Acme --required --optional'), 2, /cannot be used with/)
  expectRefusal(t, await run('tenant factors Nowhere --required'), 1, /is not a known tenant/)
  expectRefusal(t, await run('role factors nothing --required'), 1, /is not a known role/)
})

test('doctor counts the passkeys of another domain than that of the settings', async (t) => {
  const cli = await createCli(t)
  const db = await openDatabase(databaseUrlOf(cli.directory), cli.directory)
  const admin = await db.users.findByUsername(1, 'admin')
  await db.passkeys.add({
    ...{ id: 'key', userId: admin?.id ?? 0, name: 'Key', credentialId: 'AAAA', publicKey: 'AAAA', signCount: 0 },
    ...{ backupEligible: false, backedUp: false, userVerified: true, discoverable: null, transports: [], aaguid: '' },
    ...{ rpId: 'old.example.com', createTime: 1, lastUsedTime: null },
  })
  await db.close()
  const { stdout } = await cli.run('doctor')
  t.match(stdout, '1 passkey registered for another domain than localhost')
})

test('doctor counts accounts without a required factor whose deadline is over, but for those that are exempt', async (t) => {
  const cli = await createCli(t)
  const open = () => openDatabase(databaseUrlOf(cli.directory), cli.directory)
  const late = '1 account without a second factor whose time to set one up is over'
  t.notMatch((await cli.run('doctor')).stdout, 'second factors')
  const db = await open()
  await db.factorStates.keepDeadline(1, Date.now() - 1)
  await db.close()
  const { code, stdout } = await cli.run('doctor')
  t.equal(code, 0, 'a warning')
  t.match(stdout, `warning  second factors: ${late}\n`)
  await cli.done('user exempt admin')
  t.notMatch((await cli.run('doctor')).stdout, late)
})
