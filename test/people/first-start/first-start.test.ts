import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { test } from 'tap'
import { emptyDirectory, installedDirectory, startChild } from '../../helpers/processes/child.js'
import { expectRefusal } from '../../helpers/processes/cli.js'
import { runCommand } from '../../helpers/processes/command.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { printedPassword, startProcess } from '../../helpers/processes/process.js'

/** Machines differ by a factor of ten. Two seconds are this many starts of an empty program where that takes 40 ms. */
const twoSeconds = 50

/** Milliseconds that Node.js takes to start and end, the median of five. */
const emptyStart = (): number => {
  const times = Array.from({ length: 5 }, () => {
    const begin = performance.now()
    spawnSync(process.execPath, ['--eval', '0'])
    return performance.now() - begin
  })
  return times.sort((one, other) => one - other)[2] ?? 0
}

test('a first start serves within two seconds, with a random password printed once that has to be changed', async (t) => {
  const directory = emptyDirectory(t)
  // Before and after: a machine that others use is not equally fast all the time.
  const before = emptyStart()
  const server = await startProcess(t, { directory })
  const empty = Math.max(before, emptyStart())
  const [ready, limit] = [server.startTime, twoSeconds * empty].map(Math.round) as [number, number]
  t.comment(`ready after ${ready} ms; an empty program takes ${Math.round(empty)} ms`)
  t.ok(ready < limit, `${ready} ms of ${limit} ms`)
  for (const path of ['/health/live', '/health/ready']) {
    t.same(expectSuccess(t, await server.call('GET', path)), { status: 'ok' })
  }
  t.equal((await server.call('GET', '/docs/')).status, 200)
  t.equal(server.output.stderr, '')

  const password = printedPassword(server.output.stdout)
  t.match(password, /^\w{16,}$/)
  t.equal(server.output.stdout.split(password).length, 2, 'exactly once')
  const { accessToken: token, ...more } = expectSuccess(t, await server.signIn('admin', password))
  t.equal(more.forcePasswordChange, true)
  // Before anything else.
  expectProblem(t, await server.call('GET', '/system/user/page', { token }), 'password_change_required')
  t.match(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })), { forcePasswordChange: true })
  t.same(expectSuccess(t, await server.call('GET', '/auth/current/permissions', { token })), ['*:*:*'])
  const json = { oldPassword: password, newPassword: 'a brand new kettle' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
  t.equal(expectSuccess(t, await server.call('GET', '/system/user/page', { token })).total, 1)
  expectProblem(t, await server.signIn('admin', password), 'invalid_credentials')
  t.match(expectSuccess(t, await server.signIn('admin', json.newPassword)), { forcePasswordChange: false })
  await server.stop()
  const again = await startProcess(t, { directory })
  t.notMatch(again.output.stdout, /First start|password/, 'never again')
})

test('in a directory that was there already, nobody else can read the database', async (t) => {
  const directory = emptyDirectory(t)
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o755)
  const server = await startProcess(t, { directory })
  t.ok(printedPassword(server.output.stdout))
  const isClosed = (statSync(directory).mode & 0o077) === 0
  for (const name of readdirSync(directory)) {
    t.ok(isClosed || (statSync(join(directory, name)).mode & 0o077) === 0, `${name} is for the owner only`)
  }
})

test('a weak ROLLCALL_ADMIN_PASSWORD is refused with one message, and nothing is created', async (t) => {
  const directory = emptyDirectory(t)
  const environment = { ROLLCALL_ADMIN_PASSWORD: 'password1', PORT: '0' }
  const outcome = await startChild(t, 'server.js', [], { directory, environment }).ended
  expectRefusal(t, { ...outcome, stdout: '' }, 1, /ROLLCALL_ADMIN_PASSWORD.*common password/)
  t.notMatch(outcome.stdout + outcome.stderr, 'password1')
  t.notOk(existsSync(directory))
})

test('a faulty configuration is refused with one message that lists every fault', async (t) => {
  const directory = emptyDirectory(t)
  const environment = {
    PORT: 'http',
    LOG_LEVEL: 'loud',
    ROLLCALL_NOPE: '1',
    ROLLCALL_ADMIN_PASSWORD: 'plain green tea',
  }
  const outcome = await startChild(t, 'server.js', [], { directory, environment }).ended
  expectRefusal(t, outcome, 1, /^Rollcall does not start: 3 settings are wrong\.\n( {2}\w+ \(environment\): .+\n){3}/)
  t.notMatch(outcome.stderr, 'plain green tea')
  t.notOk(existsSync(directory))
})

test('a master secret of another installation is refused with one message', async (t) => {
  const directory = await installedDirectory(t)
  const environment = { PORT: '0', ROLLCALL_SECRET: 'the-secret-of-some-other-installation' }
  const outcome = await startChild(t, 'server.js', [], { directory, environment }).ended
  expectRefusal(t, outcome, 1, /master secret does not open .*ROLLCALL_SECRET/)
  t.notMatch(outcome.stderr, 'the-secret-of-some-other-installation')
})

test('a port in use is told in one message', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const directory = await installedDirectory(t)
  const outcome = await runCommand(t, ['start'], { directory, environment: { PORT: port } })
  expectRefusal(t, outcome, 1, new RegExp(`^[^\\n]*${port}[^\\n]*listens there already[^\\n]*PORT[^\\n]*\\n$`))
})

for (const HOST of ['203.0.113.7', 'no-such-host.invalid']) {
  test(`the address ${HOST}, which is not of this machine, is told in one message`, async (t) => {
    const directory = await installedDirectory(t)
    const outcome = await runCommand(t, ['start'], { directory, environment: { HOST, PORT: '0' } })
    expectRefusal(t, outcome, 1, new RegExp(`^[^\\n]*${HOST}[^\\n]*\\n$`))
  })
}
