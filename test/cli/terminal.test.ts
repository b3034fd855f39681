import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'tap'
import { createCli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

const add = 'user add --username alice'
const interrupt = '\u0003'
const endOfInput = '\u0004'
const [first, second] = ['New password', 'Once more']

test('at a terminal the password is asked for twice, on standard error', async (t) => {
  const { run } = await createCli(t)
  const typed: [string, string][] = [
    [first, `${userPassword}\r`],
    [second, `${userPassword}\r`],
  ]
  const { code, stdout, stderr } = await run(`${add} --json`, { typed })
  t.equal(code, 0, stderr)
  t.match(JSON.parse(stdout), { username: 'alice' })
  t.match(stderr, first)
  t.match(stderr, second)
  t.notMatch(stderr, userPassword)
})

for (const [sentence, keys, fault] of [
  ['too short', 'ab cd', 'The password must have at least 8 characters.'],
  ['a common one', 'password1', 'The password is a common password, please choose another.'],
] as const) {
  test(`a password that is ${sentence} is refused before it is asked for twice`, async (t) => {
    const { run, content } = await createCli(t)
    const before = content()
    const outcome = await run(add, {
      typed: [
        [first, `${keys}\r`],
        [fault, interrupt],
      ],
    })
    t.match(outcome.stderr, fault)
    t.notMatch(outcome.stderr, second)
    t.equal(outcome.code, 130)
    t.same(content(), before)
  })
}

test('two different passwords are asked for again, three times at most', async (t) => {
  const { run, content } = await createCli(t)
  const pair = (other: string): [string, string][] => [
    [first, `${userPassword}\r`],
    [second, `${other}\r`],
  ]
  const before = content()
  const differing = await run(add, { typed: [...pair('one'), ...pair('two'), ...pair('three')] })
  t.equal(differing.code, 2)
  t.match(differing.stderr, /error: the two passwords differ\n$/)
  t.equal(differing.stderr.split('The two passwords differ. Please type them again.').length, 3)
  t.notMatch(differing.stderr, userPassword)
  t.same(content(), before)

  const { code, stdout, stderr } = await run(add, { typed: [...pair('one'), ...pair(userPassword)] })
  t.equal(code, 0, stderr)
  t.match(stdout, /^Added user alice/)
})

for (const [sentence, typed] of [
  ['Ctrl-C at the first prompt', [[first, interrupt]]],
  [
    'Ctrl-C at the second prompt',
    [
      [first, `${userPassword}\r`],
      [second, `plain${interrupt}`],
    ],
  ],
  ['Ctrl-D at the first prompt', [[first, endOfInput]]],
  [
    'Ctrl-D at the second prompt',
    [
      [first, `${userPassword}\r`],
      [second, endOfInput],
    ],
  ],
] as [string, [string, string][]][]) {
  test(`${sentence} ends with 130 and one line`, async (t) => {
    const { run, content } = await createCli(t)
    const before = content()
    for (const line of [add, 'user passwd admin']) {
      const { code, stdout, stderr } = await run(line, { typed })
      t.equal(code, 130)
      t.equal(stdout, '')
      t.match(stripVTControlCharacters(stderr), /\nInterrupted\.\n$/)
      t.notMatch(stderr, /^\s+at |ExitPromptError|force closed/m, 'no stack')
    }
    const { code, stdout, stderr } = await run(`${add} --json`, { typed })
    t.equal(code, 130)
    t.equal(stdout, '')
    t.match(JSON.parse(stripVTControlCharacters(stderr).trim().split('\n').at(-1) ?? ''), {
      error: { reason: 'interrupted' },
    })
    t.same(content(), before)
  })
}

test('an import shows a bar on standard error, and with --json none', async (t) => {
  const { run, directory } = await createCli(t)
  const file = join(directory, 'users.csv')
  const names = Array.from({ length: 50 }, (_, index) => `import${index}`)
  writeFileSync(file, `username\n${names.join('\n')}\nadmin\n`)
  const shown = await run(['user', 'import', '--dry-run', file], { typed: [] })
  t.match(shown.stderr, /Importing \[.*%/, 'a bar')
  t.match(shown.stderr, 'line 52: username is already taken')
  t.match(shown.stdout, /^Would add 50 users and refuse 1 row\.\n$/)
  const { code, stdout, stderr } = await run(['user', 'import', '--json', file], { typed: [] })
  t.equal(code, 1)
  t.equal(stderr, '')
  t.match(JSON.parse(stdout), { added: 50, refused: 1, refusals: [{ line: 52 }] })
})
