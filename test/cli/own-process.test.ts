import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { startChild } from '../helpers/processes/child.js'
import { createCli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { programs } from '../helpers/processes/project.js'

// Everywhere else commands share a process. Here each has one of its own, as on the machine of whoever types it.
for (const [line, code, input] of [
  ['tenant list', 0],
  ['user add --username alice --password-stdin --json', 0, userPassword],
  ['tenant add Default', 1],
  ['tenant lst', 2],
] as const) {
  test(`${line} ends with ${code} in a process of its own, and says what it says in the shared one`, async (t) => {
    const [one, other] = [await createCli(t), await createCli(t)]
    const own = await startChild(t, 'cli/main.js', line.split(' '), { directory: one.directory, input }).ended
    t.equal(own.code, code)
    t.match(code === 0 ? own : { stdout: own.stderr, stderr: own.stdout }, { stdout: /^.+\n/, stderr: '' })
    t.same(own, await other.run(line, input === undefined ? {} : { input }))
  })
}

test('whoever reads only the beginning of an output, as head does, sees no error', async (t) => {
  const { directory } = await createCli(t, { installed: false })
  const { child, ended } = startChild(t, 'cli/main.js', ['openapi'], { directory })
  child.stdout.destroy()
  t.same(await ended, { code: 0, signal: null, stdout: '', stderr: '' })
})

test('a build leaves the command executable, which npx needs', (t) => {
  t.equal(statSync(join(programs, 'cli/main.js')).mode & 0o111, 0o111)
  t.end()
})

for (const [line, stderr] of [
  ['tenant list', /^Standard output cannot be written: ENOSPC: [^\n]+\n$/],
  [
    'tenant list --json',
    /^\{"error":\{"reason":"failed","message":"Standard output cannot be written: ENOSPC[^\n]+\}\}\n$/,
  ],
  ['--help', /^Standard output cannot be written: ENOSPC: [^\n]+\n$/],
] as const) {
  test(`${line} says in one line that its output cannot be written`, async (t) => {
    const { directory } = await createCli(t)
    const command = `exec ${process.execPath} ${join(programs, 'cli/main.js')} ${line} >/dev/full`
    const own = spawnSync('env', ['-i', `DATA_DIR=${directory}`, 'sh', '-c', command], { encoding: 'utf8' })
    t.equal(own.status, 1)
    t.match(own.stderr, stderr)
    const silent = spawnSync('env', ['-i', `DATA_DIR=${directory}`, 'sh', '-c', `${command} 2>&1`], {
      encoding: 'utf8',
    })
    t.equal(silent.status, 1, 'also where nobody can be told')
  })
}
