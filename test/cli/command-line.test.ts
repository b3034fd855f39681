import { existsSync } from 'node:fs'
import { test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { createCli, expectRefusal } from '../helpers/processes/cli.js'

/** Every command, with a word that its help must hold. */
const commands: Record<string, RegExp> = {
  start: /run the service/,
  init: /first administrator/,
  migrate: /--json/,
  'user add':
    /--username[^]*--real-name[^]*--phone[^]*--email[^]*--tenant[^]*--role[^]*--no-force-change[^]*--password-stdin[^]*--json/,
  'user import':
    /<file>[^]*--tenant[^]*--no-force-change[^]*--atomic[^]*--dry-run[^]*--invite[^]*--json[^]*realName, phone, email, roles/,
  'user passwd': /<username>[^]*--tenant[^]*--no-force-change[^]*--password-stdin[^]*--json/,
  'user disable': /<username>[^]*--tenant[^]*--json/,
  'user enable': /<username>[^]*--tenant[^]*--json/,
  'user unlock': /<username>[^]*--tenant[^]*--json/,
  'user unban': /<username>[^]*--tenant[^]*--json/,
  'user invite': /<username\.\.\.>[^]*--tenant[^]*--json/,
  'user verify': /<username>[^]*--phone[^]*--email[^]*--tenant[^]*--json/,
  'tenant add': /<name>[^]*--json/,
  'tenant list': /--json/,
  'tenant methods': /<id\|name>[^]*--disable[^]*--enable[^]*--json/,
  'role add': /<key>[^]*--name[^]*--tenant[^]*--json/,
  'role grant': /<key> <permissions\.\.\.>[^]*--tenant[^]*--json/,
  'role assign': /<key> <username>[^]*--tenant[^]*--json/,
  openapi: /--output[^]*--check/,
}

for (const [command, words] of Object.entries(commands)) {
  test(`${command} --help explains the command and does nothing`, async (t) => {
    const { run, directory } = await createCli(t, { installed: false })
    const { code, stdout, stderr } = await run(`${command} --help`)
    t.equal(code, 0)
    t.equal(stderr, '')
    t.ok(stdout.startsWith(`Usage: rollcall ${command}`), 'says how to call it')
    t.match(stdout, words)
    t.notMatch(stdout, /--password\b(?!-stdin)/, 'no password as an argument')
    t.notOk(existsSync(directory))
  })
}

for (const line of ['--help', 'help', '-h']) {
  test(`rollcall ${line} lists every command and the exit codes`, async (t) => {
    const { run } = await createCli(t, { installed: false })
    const { code, stdout, stderr } = await run(line)
    t.equal(code, 0)
    t.equal(stderr, '')
    for (const command of Object.keys(commands)) t.match(stdout, new RegExp(`^ {2}${command.split(' ')[0]}\\b`, 'm'))
    t.match(stdout, /DATA_DIR/)
    t.match(stdout, /0 done, 1 refused, 2 wrong command line/)
  })
}

test('--version prints the version', async (t) => {
  const { done } = await createCli(t, { installed: false })
  t.equal(await done('--version'), `${manifest.version}\n`)
})

const mistakes: [sentence: string, line: string, message: RegExp][] = [
  ['no command at all', '', /^Usage: rollcall/],
  ['half a command', 'user', /^Usage: rollcall user/],
  ['an unknown command', 'usr', /unknown command 'usr'\n\(Did you mean user\?\)/],
  ['what others call it', 'user set-password alice', /unknown command 'set-password'\n\(Did you mean passwd\?\)/],
  ['also with options', 'user create --name bob', /unknown command 'create'\n\(Did you mean add\?\)/],
  ['and asked for help', 'role remove --help', /unknown command 'remove'\n\(Did you mean delete\?\)/],
  ['an unknown command of a noun', 'user disble alice', /unknown command 'disble'\n\(Did you mean disable\?\)/],
  ['an unknown option', 'tenant list --jsn', /unknown option '--jsn'\n\(Did you mean --json\?\)/],
  [
    'a misspelt option that must be there',
    'user add --usernme alice',
    /unknown option '--usernme'\n\(Did you mean --username\?\)/,
  ],
  ['the same of another command', 'copy --too sqlite:new.db', /unknown option '--too'\n\(Did you mean --to\?\)/],
  ['a missing option', 'user add', /required option '--username <name>' not specified/],
  ['an option without its value', 'user add --username', /argument missing/],
  ['a missing argument', 'user passwd', /missing required argument 'username'/],
  ['an argument too many', 'tenant list all', /too many arguments/],
  ['a role without permissions to grant', 'role grant editor', /missing required argument 'permissions'/],
  [
    'a choice that is none',
    'user add --username alice --type king',
    /Allowed choices are system-admin, tenant-admin, user/,
  ],
  [
    'a password as an argument',
    'user add --username alice --password plain-green-teapot',
    /unknown option '--password'/,
  ],
]

for (const [sentence, line, message] of mistakes) {
  test(`${sentence} ends with exit code 2 and the way to the help`, async (t) => {
    const { run, directory } = await createCli(t, { installed: false })
    const outcome = await run(line)
    expectRefusal(t, outcome, 2, message)
    t.match(outcome.stderr, /help/)
    t.notMatch(outcome.stderr, 'plain-green-teapot')
    t.notOk(existsSync(directory))
  })
}
