import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { printedPassword, startProcess } from '../helpers/processes/process.js'

test('init prints the password of the first administrator once; the second time there is nothing to do', async (t) => {
  const { done, directory, content } = await createCli(t, { installed: false })
  const first = await done('init')
  const password = printedPassword(first)
  t.match(password, /^[\w-]{16,}$/)
  t.equal(first.split(password).length, 2, 'exactly once')
  t.match(first, directory)
  t.match(first, /Sign in as admin/)
  t.notMatch(first, readFileSync(join(directory, 'secret'), 'utf8').trim())
  const before = content()
  t.equal(await done('init'), `Nothing to do: ${directory} is complete.\n`)
  t.same(content(), before)
  t.notMatch(JSON.stringify(before), password, 'stored only as a hash')
})

test('init takes the password of the environment and does not print it', async (t) => {
  const { done, directory } = await createCli(t, { installed: false })
  const output = await done('init', { environment: { ROLLCALL_ADMIN_PASSWORD: adminPassword } })
  t.notMatch(output, adminPassword)
  t.match(output, /ROLLCALL_ADMIN_PASSWORD/)
  const server = await startProcess(t, { directory })
  t.match((await server.signIn('admin', adminPassword)).body, { code: 200, data: { forcePasswordChange: false } })
  t.notMatch(server.output.stdout, 'First start')
})

test("an init that was refused is in nobody's way: the next one works", async (t) => {
  const { done, run, directory } = await createCli(t, { installed: false })
  expectRefusal(t, await run('init', { environment: { PORT: 'x' } }), 1, /PORT \(environment\)/)
  t.notOk(existsSync(directory))
  t.match(printedPassword(await done('init')), /./)
})

for (const command of ['start', 'init']) {
  test(`${command} with a weak ROLLCALL_ADMIN_PASSWORD says so and creates nothing`, async (t) => {
    const { run, directory } = await createCli(t, { installed: false })
    const outcome = await run(command, { environment: { ROLLCALL_ADMIN_PASSWORD: 'password1', PORT: '0' } })
    expectRefusal(t, { ...outcome, stdout: '' }, 1, /ROLLCALL_ADMIN_PASSWORD.*common password/)
    t.notMatch(outcome.stdout + outcome.stderr, 'password1')
    t.notOk(existsSync(directory))
  })
}

for (const line of [
  'migrate',
  'tenant list',
  'tenant add Acme',
  'role add editor',
  'role grant editor a:b:c',
  'role assign editor alice',
  'user disable alice',
  'user enable alice',
  'user unlock alice',
  'user verify alice',
  'user reset-factors alice --yes',
  'user passwd alice --password-stdin',
  'user add --username alice --password-stdin',
]) {
  test(`${line} before init says what to do next`, async (t) => {
    const { run, directory } = await createCli(t, { installed: false })
    const outcome = await run(line, { input: 'plain green teapot' })
    // Init comes last: a second, empty installation helps nobody who looks for a user.
    expectRefusal(
      t,
      outcome,
      1,
      /^There is no Rollcall data in \S+\. Set DATA_DIR to the data directory of the service\. Only for a new installation, run `rollcall init`\.\n$/,
    )
    t.match(outcome.stderr, directory)
    t.notOk(existsSync(directory))
  })
}

test('migrate brings an empty database up to date, and then there is nothing to do', async (t) => {
  const { done, json, directory, content } = await createCli(t)
  t.equal(await done('migrate'), 'The database schema is up to date.\n')
  t.same(await json('migrate'), [])
  const environment = { DATABASE_URL: 'sqlite:rollcall.db' }
  writeFileSync(join(directory, 'rollcall.db'), '')
  for (const ending of ['-wal', '-shm']) writeFileSync(join(directory, `rollcall.db${ending}`), '')
  t.match(await done('migrate', { environment }), /^Ran 0001-[\w-]+(, [\w/-]+)*\.\nThe database now has the schema/)
  t.same(content()['users'], [])
  const db = await openDatabase('sqlite:rollcall.db', directory)
  t.same(await db.pendingMigrations(), [])
  await db.close()
})

test('migrate --json lists what it ran', async (t) => {
  const { json } = await createCli(t)
  const ran = await json('migrate', { environment: { DATABASE_URL: 'sqlite:fresh.db' } })
  t.equal(ran[0], '0001-accounts-and-sessions')
})

test('a wrong master secret stops every command with a message, and changes nothing', async (t) => {
  const { run, directory, content } = await createCli(t)
  const before = content()
  const ROLLCALL_SECRET = 'the-secret-of-some-other-installation'
  for (const line of ['tenant list', 'tenant add Acme', 'start', 'init']) {
    const outcome = await run(line, { environment: { ROLLCALL_SECRET, PORT: '0' } })
    expectRefusal(t, outcome, 1, /master secret does not open .*Restore the secret/)
    t.notMatch(outcome.stderr, ROLLCALL_SECRET)
    t.notMatch(outcome.stderr, readFileSync(join(directory, 'secret'), 'utf8').trim())
  }
  t.same(content(), before)
})

test('start serves like the server, and ends with exit code 0', async (t) => {
  const { directory } = await createCli(t)
  const server = await startProcess(t, { directory }, ['cli/main.js', 'start'])
  t.equal((await server.call('GET', '/health/ready')).status, 200)
  t.match(await server.stop(), { code: 0, signal: null, stderr: '' })
})
