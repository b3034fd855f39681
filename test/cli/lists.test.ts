import { test } from 'tap'
import { createCli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

const lists: [line: string, headings: string][] = [
  ['user list', 'ID TENANT USER NAME REAL NAME STATUS ROLES SECOND FACTOR BANNED UNTIL'],
  ['role list', 'ID TENANT KEY NAME PERMISSIONS'],
  ['tenant list', 'ID NAME STATUS'],
  ['tenant methods 1', 'METHOD STATUS'],
  ['keys list', 'ID ALGORITHM STATUS SIGNS'],
  ['audit', 'TIME WHO ADDRESS ACTION TARGET CHANGE'],
]

test('lists have headings at a terminal, above columns, and none for programs', async (t) => {
  const { run, done } = await createCli(t)
  await done(['user', 'add', '--username', 'alice', '--real-name', '爱丽丝', '--password-stdin'], {
    input: userPassword,
  })
  for (const [line, headings] of lists) {
    const piped = await done(line)
    const { code, stdout, stderr } = await run(line, { typed: [] })
    t.equal(code, 0, stderr)
    const [first = '', ...rows] = stdout.split('\n')
    t.equal(first.split(/ {2,}/).join(' '), headings, line)
    t.notMatch(stdout, '\t')
    t.notMatch(piped, headings.split(' ')[0] ?? '', `${line}: no headings for a program`)
    t.same(
      rows.map((row) => row.split(/\s+/)),
      piped.split('\n').map((row) => row.trimEnd().split(/\s+/)),
      `${line}: the same rows`,
    )
    t.notMatch(JSON.stringify(JSON.parse((await run(`${line} --json`, { typed: [] })).stdout)), headings)
  }
  const [, alice = '', admin = ''] = (await run('user list', { typed: [] })).stdout.split('\n')
  // Three Chinese characters take six columns.
  t.equal(alice.indexOf('normal') + 3, admin.indexOf('normal'), 'the columns stand below each other')
})

test('an empty list has no headings', async (t) => {
  const { run } = await createCli(t)
  for (const line of ['session list admin', 'identity list admin', 'log', 'user list --keyword nobody']) {
    const { code, stdout } = await run(line, { typed: [] })
    t.equal(code, 0)
    t.notMatch(stdout, /ID|TIME/)
  }
})
