import { test } from 'tap'
import { createCli, expectRefusal, type Cli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

/** Every command that destroys what nothing brings back. */
const commands: [name: string, line: (cli: Cli) => Promise<string> | string, question: RegExp, done: RegExp][] = [
  [
    'user delete',
    () => 'user delete alice',
    /^Delete the user alice \(id 2\), with sessions, linked identities and contacts\? \[y\/N\]: /,
    /^Deleted user alice/,
  ],
  [
    'user reset-factors',
    () => 'user reset-factors alice',
    /^Remove all second factors of alice, with recovery codes, and end the sessions\? \[y\/N\]: /,
    /^Removed 0 second factors of alice/,
  ],
  [
    'role delete',
    () => 'role delete editor',
    /^Delete the role editor, also from its users\? \[y\/N\]: /,
    /^Deleted role editor/,
  ],
  [
    'identity remove',
    () => 'identity remove alice',
    /^Unlink all linked identities of alice\? \[y\/N\]: /,
    /^Removed 0 linked identities of alice/,
  ],
  [
    'keys revoke',
    async ({ json }) => `keys revoke ${(await json('keys list'))[0].kid}`,
    /^Remove the signing key \S+ and end the sessions that may have a token of it\? \[y\/N\]: /,
    /^Revoked the key/,
  ],
]

const prepare = async (t: Parameters<typeof createCli>[0]) => {
  const cli = await createCli(t)
  await cli.done('user add --username alice --password-stdin', { input: userPassword })
  await cli.done('role add editor')
  return cli
}

for (const [name, lineOf, question, done] of commands) {
  test(`${name} asks at a terminal, and anything but yes changes nothing`, async (t) => {
    const cli = await prepare(t)
    const line = await lineOf(cli)
    const before = cli.content()
    for (const keys of ['n\r', '\r', 'yesterday\r']) {
      const declined = await cli.run(line, { typed: [['[y/N]', keys]] })
      t.equal(declined.code, 1, declined.stderr)
      t.equal(declined.stdout, '')
      t.match(declined.stderr, /Nothing has been changed\.\n$/)
    }
    const interrupted = await cli.run(line, { typed: [['[y/N]', '\u0003']] })
    t.equal(interrupted.code, 130)
    t.same(cli.content(), before)

    const { code, stdout, stderr } = await cli.run(line, { typed: [['[y/N]', 'Yes\r']] })
    t.equal(code, 0, stderr)
    t.match(stdout, done)
    t.match(stderr.replaceAll(/\u001b\[\d*[A-Z]/g, ''), question)
  })

  test(`${name} is refused without a terminal, unless --yes says it`, async (t) => {
    const cli = await prepare(t)
    const line = await lineOf(cli)
    const before = cli.content()
    expectRefusal(t, await cli.run(line, { input: 'y\n' }), 2, 'error: without a terminal, confirm it by --yes\n')
    const json = await cli.run(`${line} --json`)
    t.equal(json.code, 2)
    t.match(JSON.parse(json.stderr), { error: { reason: 'wrong_command_line' } })
    t.same(cli.content(), before)
    t.match(await cli.done(`${line} --yes`), done)
  })

  test(`${name} --yes asks nothing at a terminal`, async (t) => {
    const cli = await prepare(t)
    const { code, stderr } = await cli.run(`${await lineOf(cli)} --yes`, { typed: [] })
    t.equal(code, 0)
    t.equal(stderr, '')
  })
}

test('a name that is not known is told before anything is asked', async (t) => {
  const { run } = await createCli(t)
  for (const line of ['user delete nobody', 'role delete nobody', 'identity remove nobody']) {
    const { code, stderr } = await run(line, { typed: [] })
    t.equal(code, 1)
    t.match(stderr, /^error: (username|role) "nobody" is not a known/)
    t.notMatch(stderr, '[y/N]')
  }
})
