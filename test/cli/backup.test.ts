import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { fileBackup } from '../../db/sqlite/backup.js'
import { databaseContent } from '../helpers/processes/child.js'
import { createCli, expectRefusal, type Cli } from '../helpers/processes/cli.js'
import { insertManyUsers } from '../helpers/service/many-users.js'
import { adminPassword, userPassword } from '../helpers/service/passwords.js'
import { eventually, startProcess } from '../helpers/processes/process.js'

const addUser = (cli: Cli, name: string) =>
  cli.done(`user add --username ${name} --real-name ${name} --password-stdin --no-force-change`, {
    input: userPassword,
  })

/** A path beside the data directory, where a backup may be. */
const beside = (cli: Cli, name = 'copy.db') => join(dirname(cli.directory), name)
const databaseOf = (cli: Cli) => join(cli.directory, 'rollcall.db')
const namesIn = (file: string) => {
  const database = new Sqlite(file, { readonly: true })
  const names = database.prepare<[], string>('select username from users order by id').pluck().all()
  database.close()
  return names
}

test('a backup under write load has what was confirmed before it began, and nobody waits for it', async (t) => {
  const cli = await createCli(t)
  await insertManyUsers(cli.directory, 60_000)
  const server = await startProcess(t, { directory: cli.directory })
  /** Backs up while two people sign in again and again; resolves to the longest sign-in as well. */
  const backUpUnderLoad = async (file: string) => {
    const writes: number[] = []
    let isOver = false
    const load = async () => {
      while (!isOver) {
        const begin = performance.now()
        const { status } = await server.signIn('admin', adminPassword)
        t.equal(status, 200)
        writes.push(performance.now() - begin)
      }
    }
    const loads = [load(), load()]
    await eventually('some writes', () => writes.length > 5 || undefined)
    const begun = writes.length
    const made = await cli.json(`backup ${file}`)
    isOver = true
    await Promise.all(loads)
    t.ok(writes.length > begun, 'the server went on writing')
    return { made, longest: Math.max(...writes) }
  }
  await addUser(cli, 'before')
  const file = beside(cli)
  const { made, longest } = await backUpUnderLoad(file)
  // A shared disk may stand still for seconds, but hardly twice.
  const waited = longest < 2000 ? longest : (await backUpUnderLoad(beside(cli, 'second.db'))).longest
  rmSync(beside(cli, 'second.db'), { force: true })
  t.ok(waited < 2000, `the longest sign-in took ${waited} ms`)
  const { users, bytes } = made
  t.equal(users, 60_002)
  t.equal(bytes, statSync(file).size)
  t.equal(statSync(file).mode & 0o777, 0o600, 'only the owner can read it')
  t.ok(namesIn(file).includes('before'))
  t.same(readdirSync(dirname(file)).sort(), ['copy.db', 'data'], 'nothing else is left')

  const writer = new Sqlite(databaseOf(cli), { timeout: 5000 })
  const steps: number[] = []
  const again = beside(cli, 'again.db')
  await fileBackup.backUp(databaseOf(cli), '', again, {
    force: false,
    signal: new AbortController().signal,
    progress(_what, done) {
      steps.push(done)
      if (steps.length < 50) writer.exec(`update users set remark = 'while it was copied' where id = 1`)
    },
  })
  writer.close()
  t.ok(steps.length >= 3, 'in steps')
  t.same(
    steps,
    [...new Set(steps)].sort((one, other) => one - other),
    'no write makes it begin anew',
  )
  const copy = new Sqlite(again, { readonly: true })
  t.notSame(copy.prepare('select remark from users where id = 1').pluck().get(), 'while it was copied')
  copy.close()
  t.equal((await server.stop()).code, 0)
})

test('a backup replaces a file only with --force, and never the database', async (t) => {
  const cli = await createCli(t)
  const file = beside(cli)
  writeFileSync(file, 'precious')
  expectRefusal(t, await cli.run(['backup', file]), 1, /exists already\. Name another file, or use --force/)
  t.equal(readFileSync(file, 'utf8'), 'precious')
  t.match(await cli.done(['backup', file, '--force']), /^Copied the database to .*copy\.db \(1 user, /)
  t.same(namesIn(file), ['admin'])
  t.equal(statSync(file).mode & 0o777, 0o600)
  const database = databaseOf(cli)
  expectRefusal(t, await cli.run(['backup', database, '--force']), 1, /is the database itself/)
  expectRefusal(t, await cli.run(['backup', beside(cli, 'no/copy.db')]), 1, /^There is no directory /)
  expectRefusal(t, await cli.run(['backup']), 2, /missing required argument/)
  const environment = { DATABASE_URL: 'sqlite:elsewhere.db' }
  expectRefusal(t, await cli.run(['backup', beside(cli, 'b.db')], { environment }), 1, /^There is no database at /)
  t.same(readdirSync(dirname(file)).sort(), ['copy.db', 'data'])
})

test('a restore brings back what the backup has and keeps the database from before', async (t) => {
  const cli = await createCli(t)
  await addUser(cli, 'ada')
  const file = beside(cli)
  await cli.done(['backup', file])
  const before = readFileSync(file)
  await addUser(cli, 'later')
  const printed = await cli.json(`restore ${file}`)
  t.match(printed, { file, users: 2, previous: /rollcall\.db\.before-20\d\d-/ })
  t.same(namesIn(databaseOf(cli)), ['admin', 'ada'])
  t.same(namesIn(printed.previous as string), ['admin', 'ada', 'later'])
  t.equal(statSync(databaseOf(cli)).mode & 0o777, 0o600)
  t.ok(before.equals(readFileSync(file)), 'the backup itself is unchanged')
  t.same(readdirSync(dirname(file)).sort(), ['copy.db', 'data'], 'nothing is left beside it')
  const server = await startProcess(t, { directory: cli.directory })
  t.equal((await server.signIn('ada', userPassword)).status, 200)
  t.equal((await server.signIn('later', userPassword)).body.data.reason, 'invalid_credentials')
  await server.stop()
})

test('a restore refuses while a server uses the database, and the server does not notice', async (t) => {
  const cli = await createCli(t)
  const file = beside(cli)
  await cli.done(['backup', file])
  await addUser(cli, 'later')
  const server = await startProcess(t, { directory: cli.directory })
  for (const args of [
    ['restore', file],
    ['restore', file, '--force'],
  ]) {
    expectRefusal(
      t,
      await cli.run(args),
      1,
      /^A process uses .*rollcall\.db\. Stop the service .* Nothing has been changed\.\n$/,
    )
  }
  t.equal((await server.signIn('later', userPassword)).status, 200)
  t.equal((await server.stop()).code, 0)
  t.notMatch(server.output.stdout, /"level":[56]0/)
  t.match(await cli.done(['restore', file]), /^Restored the database/)
})

const damage = (file: string, change: (bytes: Buffer) => Buffer) => writeFileSync(file, change(readFileSync(file)))
const rewrite = (sql: string) => (file: string) => {
  const database = new Sqlite(file)
  database.exec(sql)
  database.close()
}

test('a backup that cannot be used is refused with the reason, and the database stays as it is', async (t) => {
  const rows: [what: string, prepare: (file: string, cli: Cli) => void, message: RegExp][] = [
    [
      'a file that is not a database',
      (file) => writeFileSync(file, 'hello'),
      /not a whole database of Rollcall: file is not a database/,
    ],
    ['an empty file', (file) => writeFileSync(file, ''), /not a whole database of Rollcall: no such table/],
    ['half of a database', (file) => damage(file, (bytes) => bytes.subarray(0, bytes.length / 2)), /damaged|malformed/],
    [
      'zeros in the middle',
      (file) => damage(file, (bytes) => bytes.fill(0, bytes.length / 2, bytes.length / 2 + 8192)),
      /damaged|malformed/,
    ],
    ['a database of another program', rewrite('drop table kysely_migration'), /not a whole database of Rollcall/],
    [
      'rows that refer to nothing',
      rewrite('pragma foreign_keys = off; update users set tenant_id = 99'),
      /rows refer to other rows/,
    ],
    [
      'a later version',
      rewrite(`insert into kysely_migration values ('9999-later', '2030')`),
      /later version of Rollcall \(9999-later\)/,
    ],
    [
      'another master secret',
      (_file, { directory }) => writeFileSync(join(directory, 'secret'), 'x'.repeat(40)),
      /^The master secret does not open/,
    ],
    ['a log beside it', (file) => writeFileSync(`${file}-wal`, 'x'), /no finished backup/],
  ]
  for (const [what, prepare, message] of rows) {
    await t.test(what, async (t: Test) => {
      const cli = await createCli(t)
      const file = beside(cli)
      await cli.done(['backup', file])
      const before = databaseContent(cli.directory)
      prepare(file, cli)
      expectRefusal(t, await cli.run(['restore', file]), 1, message)
      t.same(databaseContent(cli.directory), before)
      t.same(
        readdirSync(cli.directory).filter((name) => /restore|before/.test(name)),
        [],
      )
    })
  }
  const cli = await createCli(t)
  expectRefusal(t, await cli.run(['restore', beside(cli, 'none.db')]), 1, /^There is no file /)
  expectRefusal(t, await cli.run(['restore', databaseOf(cli)]), 1, /is the database itself/)
})

test('a damaged database is replaced only with --force, and kept with its log', async (t) => {
  const cli = await createCli(t)
  const file = beside(cli)
  await cli.done(['backup', file])
  writeFileSync(databaseOf(cli), 'damaged')
  writeFileSync(`${databaseOf(cli)}-wal`, 'log')
  expectRefusal(
    t,
    await cli.run(['restore', file]),
    1,
    /nobody can tell whether a process uses it.*repeat this with --force/,
  )
  t.equal(readFileSync(databaseOf(cli), 'utf8'), 'damaged')
  const { previous } = await cli.json(`restore ${file} --force`)
  t.equal(readFileSync(previous as string, 'utf8'), 'damaged')
  t.equal(readFileSync(`${previous}-wal`, 'utf8'), 'log')
  t.same(namesIn(databaseOf(cli)), ['admin'])
})

test('an interrupted backup or restore leaves nothing and changes nothing', async (t) => {
  const cli = await createCli(t)
  const file = beside(cli)
  await cli.done(['backup', file])
  const options = { force: true, signal: AbortSignal.abort(), progress: () => undefined, check: async () => undefined }
  const other = beside(cli, 'other.db')
  await t.rejects(fileBackup.backUp('rollcall.db', cli.directory, other, options), { name: 'AbortError' })
  t.notOk(existsSync(other))
  await t.rejects(fileBackup.restore('rollcall.db', cli.directory, file, options), { name: 'AbortError' })
  t.same(readdirSync(dirname(file)).sort(), ['copy.db', 'data'])
  t.same(
    readdirSync(cli.directory).filter((name) => /restore|before/.test(name)),
    [],
  )
})

test('the master secret can be changed right after a restore of a backup that was made beside a server', async (t) => {
  const cli = await createCli(t)
  const server = await startProcess(t, { directory: cli.directory })
  const backup = join(cli.directory, 'backup.db')
  await cli.done(['backup', backup])
  await server.stop()
  await cli.done(['restore', backup])
  const file = join(cli.directory, 'new-secret')
  writeFileSync(file, 'a new master secret of forty characters.\n')
  t.match(
    await cli.done(['keys', 'rewrap', '--new-secret-file', file]),
    /^Encrypted \d+ texts with the new master secret/,
  )
})
