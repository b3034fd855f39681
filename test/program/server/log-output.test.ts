import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { startFlags } from '../../../bench/start-command.js'
import { installedDirectory } from '../../helpers/processes/child.js'
import { createClient } from '../../helpers/service/client.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { temporary } from '../../helpers/processes/package.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually } from '../../helpers/processes/process.js'
import { programs } from '../../helpers/processes/project.js'

/** Starts the service with this shell command, in which `serve` is the service, and waits until it answers. */
const startWith = async (t: Test, command: string, stdio: StdioOptions = ['ignore', 'pipe', 'pipe']) => {
  const directory = await installedDirectory(t)
  const file = join(temporary(t), 'pid')
  const port = await freePort()
  const variables = [`PATH=${process.env['PATH'] ?? ''}`, `DATA_DIR=${directory}`, `PORT=${port}`, 'RATE_LIMITS=off']
  const serve = `echo $$ >${file}; exec ${process.execPath} ${startFlags.join(' ')} ${join(programs, 'server.js')}`
  // What the test runner adds to the environment of every process stays out.
  const child = spawn('env', ['-i', ...variables, `serve=${serve}`, 'sh', '-c', command], { stdio })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += String(chunk)))
  const ended = once(child, 'close')
  const client = createClient(`http://127.0.0.1:${port}`)
  const isThere = () => client.call('GET', '/health/live').catch(() => undefined)
  await eventually('the service to answer', isThere)
  const pid = Number(readFileSync(file, 'utf8'))
  const isRunning = () => existsSync(`/proc/${pid}/exe`)
  t.teardown(async () => {
    if (isRunning()) process.kill(pid, 'SIGKILL')
    child.stdout?.destroy()
    await ended
  })
  return {
    ...client,
    child,
    stderr: () => stderr,
    /** Sends SIGTERM and waits for the end; the time that it took, in milliseconds. */
    async stop() {
      const begin = performance.now()
      process.kill(pid, 'SIGTERM')
      await eventually('the end', () => !isRunning() || undefined)
      return performance.now() - begin
    },
  }
}

/** Signs in and reads pages: each request writes several log lines. */
const use = async (t: Test, { call, signIn }: ReturnType<typeof createClient>, requests = 20) => {
  const { accessToken: token } = (await signIn('admin', adminPassword)).body.data
  for (let count = 0; count < requests; count++) {
    t.equal((await call('GET', '/system/user/page', { token })).status, 200)
  }
}

const rows: [output: string, command: string][] = [
  ['a full device', 'sh -c "$serve" >/dev/full'],
  ['a full device that takes the errors, too', 'sh -c "$serve" >/dev/full 2>&1'],
  ['a pipe whose reader is gone', 'sh -c "$serve" | true'],
  ['a pipe whose reader reads nothing', 'sh -c "$serve"'],
]
for (const [output, command] of rows) {
  test(`with ${output} as standard output the service answers, and ends on SIGTERM`, async (t) => {
    const service = await startWith(t, command)
    await use(t, service)
    t.ok((await service.stop()) < 10_000)
    t.ok(service.stderr().split('\n').length <= 2, `at most one line of errors: ${service.stderr()}`)
  })
}

test('a log whose reader stands still takes no more than a bounded part of the memory', async (t) => {
  const service = await startWith(t, 'sh -c "$serve"')
  service.child.stdout?.pause()
  const path = `/${'long'.repeat(3000)}`
  for (let count = 0; count < 300; count++) await service.call('GET', path)
  let log = ''
  service.child.stdout?.on('data', (chunk: Buffer) => (log += String(chunk))).resume()
  const line = await eventually('a line that says how many are lost', () => {
    const lines = log.split('\n').filter((text) => text.includes('log lines could not be written and are lost'))
    return lines[0]
  })
  t.match(JSON.parse(line), { level: 40, code: 'EAGAIN', lost: Number })
  await use(t, service)
  await service.stop()
  for (const text of log.split('\n').filter((one) => one.startsWith('{')))
    t.doesNotThrow(() => JSON.parse(text) as unknown)
})

test('the service goes on after its terminal was closed', async (t) => {
  // `script` gives the service a terminal, which ends with it. In a session of its own the service gets no signal then.
  const command = `exec script --quiet --command "setsid --wait sh -c '$serve'" /dev/null`
  const service = await startWith(t, command)
  const closed = once(service.child, 'exit')
  service.child.kill('SIGKILL')
  await closed
  await use(t, service)
  t.ok((await service.stop()) < 10_000)
})

test('lines that found no room in a file are lost, and one line says how many when there is room again', async (t) => {
  const log = join(temporary(t), 'log')
  const size = 2 ** 30
  closeSync(openSync(log, 'w'))
  truncateSync(log, size)
  // No file of this process may become larger, as if the disk were full.
  const service = await startWith(t, `ulimit -f ${size / 512}; sh -c "$serve" >>${log} 2>&1`)
  await use(t, service)
  truncateSync(log, 0)
  await use(t, service, 1)
  const lines = await eventually('the line', () => {
    const all = readFileSync(log, 'utf8')
      .split('\n')
      .filter((text) => text !== '')
    return all.some((text) => text.includes('are lost')) ? all : undefined
  })
  const told = lines.map((text) => JSON.parse(text)).filter(({ msg }) => msg.includes('are lost'))
  t.equal(told.length, 1)
  t.match(told[0], { level: 40, code: 'EFBIG', msg: 'log lines could not be written and are lost' })
  t.ok(told[0].lost > 40, `${told[0].lost} lines`)
  t.ok((await service.stop()) < 10_000)
  t.match(readFileSync(log, 'utf8'), /request completed/)
})
