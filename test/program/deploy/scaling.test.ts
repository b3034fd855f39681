import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createClient } from '../../helpers/service/client.js'
import { readDeployed, runNginx } from '../../helpers/processes/deployed.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { temporary } from '../../helpers/processes/package.js'
import { createPostgres, isPostgresThere, skipped } from '../../helpers/databases/postgres.js'
import { eventually, printedPassword } from '../../helpers/processes/process.js'
import { programs } from '../../helpers/processes/project.js'

const nginx = process.env['ROLLCALL_TEST_NGINX'] ?? ''
const isThere = await isPostgresThere()
const skip = nginx === '' ? 'set ROLLCALL_TEST_NGINX to the path of nginx to run this test' : isThere ? false : skipped

/** The blocks of code of a chapter of docs/scaling.md, in their order. */
const blocksOf = (title: string): string[] => {
  const [chapter = ''] = readDeployed('docs/scaling.md').split(`\n## ${title}\n`)[1]?.split('\n## ') ?? []
  return [...chapter.matchAll(/^ *```\w+\n(.*?)^ *```$/gms)].map(([, block = '']) => block)
}

test('docs/scaling.md: three processes behind nginx serve as one, also when one of them ends', { skip }, async (t) => {
  const directory = temporary(t)
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(programs, 'cli/main.js'), join(directory, 'node_modules/.bin/rollcall'))
  const database = await createPostgres(t)
  const ports = new Map<string, number>()
  for (const port of ['3001', '3002', '3003', '8080']) ports.set(port, await freePort())
  /** The same text with ports that are free and a database of the test. The helper has created it, in the same way. */
  const here = (text: string) =>
    text
      .replaceAll(/\b(3001|3002|3003|8080)\b/g, (port) => String(ports.get(port)))
      .replace(/^ *createdb .*\n/m, '')
      .replace('postgres://rollcall:PASSWORD@127.0.0.1:5432/rollcall', database)
  const [create = '', start = '', servers = '', use = ''] = blocksOf('Three processes behind nginx').map(here)
  t.match(readDeployed('docs/scaling.md'), 'createdb rollcall --encoding UTF8 --template template0')

  const environment = { PATH: process.env['PATH'], HOME: directory }
  const shell = spawn('bash', ['-euc', `${create}\n${start}\nwait`], {
    cwd: directory,
    env: environment,
    detached: true,
  })
  const ended = once(shell, 'close')
  t.teardown(async () => {
    // All of its processes.
    if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), 'SIGTERM')
    await ended
  })
  let printed = ''
  shell.stdout.on('data', (chunk: Buffer) => (printed += String(chunk)))
  shell.stderr.on('data', (chunk: Buffer) => (printed += String(chunk)))
  const logs = ['3001', '3002', '3003'].map((port) => join(directory, `rollcall-${ports.get(port)}.log`))
  for (const log of logs) {
    await eventually(`${log} to say that it is ready, after: ${printed}`, () =>
      readFileSync(log, { encoding: 'utf8', flag: 'a+' }).includes('Rollcall is ready') ? true : undefined,
    )
  }
  const password = printedPassword(printed)
  t.not(password, '')
  runNginx(t, nginx, directory, servers)
  const { call, signIn } = createClient(`http://127.0.0.1:${ports.get('8080')}`)
  await eventually('nginx to answer', () => call('GET', '/health/ready').catch(() => undefined))
  const outputs = execFileSync('bash', ['-euc', use.replace('"PASSWORD"', JSON.stringify(password))], {
    encoding: 'utf8',
  })
  t.match(outputs, /"status":"(ok|ready|up)"/)
  t.match(outputs, /"accessToken":"[\w.-]+"/)

  const token = expectSuccess(t, await signIn('admin', password)).accessToken as string
  const ask = () => call('GET', '/auth/userInfo', { token })
  for (let count = 0; count < 30; count++) expectSuccess(t, await ask())
  const pids = logs.map((log) => Number(/"pid":(\d+)/.exec(readFileSync(log, 'utf8'))?.[1]))
  t.equal(new Set(pids).size, 3)
  for (const log of logs) t.match(readFileSync(log, 'utf8'), '/auth/userInfo', 'each process has answered some')
  process.kill(pids[0] ?? 0, 'SIGTERM')
  for (let count = 0; count < 60; count++) expectSuccess(t, await ask())
  expectSuccess(t, await call('POST', '/auth/logout', { token }))
  for (let count = 0; count < 6; count++) expectProblem(t, await ask(), 'session_revoked')
})
