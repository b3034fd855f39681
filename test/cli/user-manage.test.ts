import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

const add = (username: string, more = '') =>
  `user add --username ${username} --no-force-change --password-stdin ${more}`

test('user list shows users with filters and pages', async (t) => {
  const { done, json } = await createCli(t)
  await done('tenant add Acme')
  for (const name of ['alice', 'bob']) await done(add(name), { input: userPassword })
  await done(add('carol', '--tenant Acme'), { input: userPassword })
  await done('user disable bob')
  const lines = (await done('user list')).trimEnd().split('\n')
  t.same(
    lines.map((line) => line.split('\t')[2] ?? line),
    ['carol', 'bob', 'alice', 'admin', 'page 1 of 1, 4 users'],
  )
  t.match(lines[1], /\tbob\tbob\tdisabled\t/)
  const names = async (options: string) =>
    (await json(`user list ${options}`)).records.map(({ username }: { username: string }) => username)
  t.same(await names('--tenant Acme'), ['carol'])
  t.same(await names('--keyword ALI'), ['alice'])
  t.same(await names('--status disabled'), ['bob'])
  t.same(await names('--page 2 --page-size 3'), ['admin'])
  await done('role add editor --name Editor')
  await done('role assign editor bob')
  await done(add('dora', '--email dora@example.com --phone 13800138000'), { input: userPassword })
  t.same(await names('--role editor'), ['bob'])
  t.same(await names('--role editor --status normal'), [])
  t.same(await names('--role nobody'), [])
  for (const search of ['DORA@example.com', '+8613800138000', 'dor'])
    t.same(await names(`--search ${search}`), ['dora'])
  t.same(await names('--search example.com'), [])
  t.equal(await done('user list --keyword nobody'), 'No users (page 1 of 0, 0 users).\n')
})

test('user show shows everything but secrets', async (t) => {
  const { done, json } = await createCli(t)
  await done(add('alice', '--email alice@example.com --phone 13800138000'), { input: userPassword })
  t.match(await json('user show alice'), { username: 'alice', email: 'alice@example.com', phone: '13800138000' })
  const text = await done('user show alice')
  t.match(text, /^username\talice$/m)
  t.notMatch(text, /argon2|assword\t\$/)
})

test('user edit changes what is named, and an empty text clears it', async (t) => {
  const { done, json } = await createCli(t)
  await done(add('alice', '--email alice@example.com --phone 13800138000'), { input: userPassword })
  t.equal(await done(['user', 'edit', 'alice', '--rename', 'alicia', '--phone', '']), 'Changed user alicia (id 2).\n')
  t.match(await json('user edit alicia --type tenant-admin'), { userType: 1, phone: null, email: 'alice@example.com' })
})

test('user delete ends sessions at once and frees the name', async (t) => {
  const { done, json, directory } = await createCli(t)
  const server = await startProcess(t, { directory })
  await done(add('alice'), { input: userPassword })
  const { accessToken: token } = (await server.signIn('alice', userPassword)).body.data
  t.equal(await done('user delete alice --yes'), 'Deleted user alice (id 2).\n')
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 401)
  t.match(await json(add('alice'), { input: userPassword }), { id: 3 })
})

test('what is refused changes nothing and says why', async (t) => {
  const { run, done, content } = await createCli(t)
  await done(add('alice', '--email alice@example.com'), { input: userPassword })
  const before = content()
  const rows: [string | string[], 1 | 2, RegExp][] = [
    ['user delete nobody --yes', 1, /is not a known user/],
    ['user delete admin --yes', 1, /no administrator/],
    ['user disable admin', 1, /no administrator/],
    ['user edit admin --type user', 1, /no administrator/],
    ['user show nobody', 1, /is not a known user/],
    ['user edit alice', 2, /nothing to change/],
    ['user edit alice --rename admin', 1, /already taken/],
    ['user edit alice --email nothing', 1, /e-mail address/],
    [['user', 'edit', 'alice', '--rename', ''], 2, /must not be empty/],
    ['user edit alice --type boss', 2, /choices/],
    ['user list --status gone', 2, /disabled, normal, locked/],
    ['user list --page 0', 2, /from 1 to/],
    ['user list --page-size 101', 2, /from 1 to 100/],
    ['user list --tenant Nowhere', 1, /is not a known tenant/],
  ]
  for (const [command, code, message] of rows) expectRefusal(t, await run(command), code, message)
  t.same(content(), before)
})
