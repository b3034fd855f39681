import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { createCli, expectRefusal } from '../../../test/helpers/processes/cli.js'
import { changeSettings, examine, troubles } from '../../../test/helpers/processes/doctor.js'
import { serve } from '../../../test/helpers/service/serve.js'

test('a service account and its tokens by command', async (t) => {
  const cli = await createCli(t)
  await cli.done('role add lister system:user:list --name Lister')
  const shown = await cli.json('user add --username nightly --service --role lister')
  t.match(shown, { username: 'nightly' })
  t.match(await cli.json('user show nightly'), { userType: 3, roleKeys: ['lister'], forcePasswordChange: false })
  t.match(await cli.done('token list'), /^No API tokens \(page 1 of \d, 0 tokens\)\.\n$/)

  const token = (
    await cli.done('token add --user nightly --name export --permissions system:user:list --addresses 127.0.0.0/8')
  ).trim()
  t.match(token, /^rct_[0-9A-Za-z]{49}$/)
  const made = await cli.json('token add --user nightly --name all --days 365')
  t.match(made, { name: 'all', permissions: null, addresses: null, token: /^rct_/ })
  const listed = await cli.json('token list --user nightly')
  t.strictSame(listed.records.map(({ name }: { name: string }) => name).toSorted(), ['all', 'export'])
  t.notMatch(JSON.stringify(listed), token.slice(8))
  const lines = await cli.done('token list')
  t.match(lines, /^[\w-]{22}\tnightly\tall\trct_\w{4}\tall of the user\t20/)
  t.match(lines, /page 1 of 1, 2 tokens\n$/)

  const server = await serve(t, cli.directory)
  const get = (with_: string) => server.call('GET', '/system/user/page', { token: with_ })
  t.equal((await get(token)).status, 200)
  const { id } = listed.records.find(({ name }: { name: string }) => name === 'export')
  expectRefusal(t, await cli.run(`token end ${id}`), 2, /--yes/)
  t.equal(await cli.done(`token end ${id} --yes`), 'Ended the API token export.\n')
  t.equal((await get(token)).status, 401, 'beside a running service')
  expectRefusal(t, await cli.run(`token end ${id} --yes`), 1, /./)
  t.equal((await get(made.token)).status, 200)
  t.notMatch(JSON.stringify(cli.content()), token.slice(8), 'a dump has no token')
})

test('what a command refuses says why, and nothing is made', async (t) => {
  const cli = await createCli(t)
  await cli.done('role add lister system:user:list --name Lister')
  await cli.done('user add --username nightly --service --role lister')
  const rows: [line: string, code: 1 | 2, message: RegExp][] = [
    ['token add --name x', 2, /--user/],
    ['token add --user nightly', 2, /--name/],
    ['token add --user nobody --name x', 1, /is not a known user/],
    ['token add --user nightly --name x --days 0', 2, /It must be a number of days, or never\./],
    ['token add --user nightly --name x --days 366', 1, /days "366" must be at most 365/],
    ['token add --user nightly --name x --days never', 1, /tokens\.allowEndless/],
    ['token add --user nightly --name x --permissions system:role:list', 1, /are more than the account has/],
    ['token add --user nightly --name x --addresses 192.0.2.0/33', 1, /must be addresses or ranges/],
    ['user add --username other --service --type user', 2, /cannot be used with/],
    ['user add --username other --service --email x@example.com', 2, /cannot be used with/],
    ['user passwd nightly --password-stdin', 1, /service accounts/],
    ['user invite nightly', 1, /service accounts/],
  ]
  for (const [line, code, message] of rows)
    expectRefusal(t, await cli.run(line, { input: 'a brand new kettle\n' }), code, message)
  t.same(cli.content()['api_tokens'], [])
  t.equal(cli.content()['users']?.length, 2)
})

test('doctor names tokens that somebody should look at, and says nothing without tokens', async (t) => {
  const cli = await createCli(t)
  const lines = async () => (await examine(t, cli)).filter(({ check }) => check === 'API tokens')
  t.same(await lines(), [])
  await cli.done('user add --username nightly --service')
  await cli.done('token add --user nightly --name export')
  t.match(await lines(), [{ level: 'ok', message: '1 API token' }])
  const { directory } = cli
  changeSettings(cli, { tokens: { allowEndless: true } })
  await cli.done('token add --user nightly --name endless --days never')
  await cli.done('user disable nightly')
  const database = new Sqlite(join(directory, 'rollcall.db'))
  database.prepare("update api_tokens set create_time = create_time - 91 * 86400000 where name = 'export'").run()
  database.close()
  const found = troubles(await lines())
  t.match(found, [
    { message: /^1 API token without an end/ },
    { message: /^1 API token not used for 90 days/ },
    { message: /^2 API tokens of users who are disabled or locked/ },
  ])
})
