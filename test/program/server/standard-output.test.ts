import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually, printedPassword, startProcess } from '../../helpers/processes/process.js'
import { programs } from '../../helpers/processes/project.js'

test('without a terminal every line of a service is JSON, from the first start to the last line', async (t) => {
  const server = await startProcess(t, { directory: emptyDirectory(t) })
  t.equal((await server.signIn('admin', printedPassword(server.output.stdout))).status, 200)
  const { code, stdout, stderr } = await server.stop()
  t.equal(code, 0)
  t.equal(stderr, '')
  const lines = stdout.trimEnd().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  t.ok(messages.some((msg) => msg.startsWith('First start: configuration and data are in /')))
  t.ok(messages.some((msg) => /^Rollcall is ready: http:\/\/\S+\/docs$/.test(msg)))
  t.equal(messages.filter((msg) => msg === 'stopped').length, 1)
  t.equal(messages.at(-1), 'stopped')
  t.notMatch(stdout, /0001-/, 'no names of migrations')
})

const terminal = '/usr/bin/script'
const skip = existsSync(terminal) ? false : 'there is no program that gives a terminal (script, package bsdutils)'

test('at a terminal the lines of a service are for people', { skip }, async (t) => {
  const command = `exec ${process.execPath} ${join(programs, 'server.js')}`
  const variables = { DATA_DIR: emptyDirectory(t), PORT: '0', PATH: process.env['PATH'] ?? '' }
  const pairs = Object.entries(variables).map((pair) => pair.join('='))
  const child = spawn('env', ['-i', ...pairs, terminal, '-qec', command, '/dev/null'])
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString().replaceAll('\r', '')))
  const origin = await eventually(
    'the service to be ready',
    () => /^Rollcall is ready: (\S+)\/docs$/m.exec(output)?.[1],
  )
  t.equal(printedPassword(output).length, 20)
  const body = new URLSearchParams({ username: 'admin', password: adminPassword })
  await fetch(`${origin}/auth/login`, { method: 'POST', body })
  await eventually('the log of the sign-in', () => (output.includes(' sign-in ') ? true : undefined))
  t.match(output, /^\d\d:\d\d:\d\d info {2}sign-in .*reason="invalid_credentials"/m)
  t.notMatch(output, /^\{/m, 'no JSON')
  t.notMatch(output, /0001-/, 'no names of migrations')
  child.stdin.write('\u0003')
  // The terminal shows the key itself, in front of the next line.
  await eventually('the end', () => (/^(\^C)?\d\d:\d\d:\d\d info {2}stopped$/m.test(output) ? true : undefined))
})
