import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { adminPassword, userPassword } from '../helpers/service/passwords.js'
import { createPostgres, isPostgresThere, skipped } from '../helpers/databases/postgres.js'
import { root } from '../helpers/processes/project.js'

/** One command of each kind: those that read, those that write, and those that open the database in their own way. */
const commands = [
  'user show admin',
  'user list',
  'user add --username late --password-stdin',
  'user import people.csv',
  'tenant list',
  'tenant add Acme',
  'role list',
  'session list admin',
  'identity list admin',
  'log',
  'audit',
  'keys list',
  'keys rotate',
  'keys rewrap --new-secret-file new-secret',
]

/** A data directory of version 0.1.0, and what tells whether its schema has changed. */
const createEarlier = async (t: Test) => {
  const cli = await createCli(t, { installed: false })
  cpSync(join(root, 'test/fixtures/data-0.1.0'), cli.directory, { recursive: true })
  const schema = () => {
    const file = new Sqlite(join(cli.directory, 'rollcall.db'), { readonly: true })
    try {
      return file.prepare('select name, sql from sqlite_schema order by name').all()
    } finally {
      file.close()
    }
  }
  return { ...cli, schema }
}

test('commands refuse the database of an earlier version, whose servers go on, and change nothing', async (t) => {
  const { run, directory, schema } = await createEarlier(t)
  const before = schema()
  const secretFile = join(directory, 'new-secret')
  writeFileSync(secretFile, 'a master secret that is long enough\n')
  const list = join(directory, 'people.csv')
  writeFileSync(list, 'username,password\nlate,plain green teapot\n')
  for (const line of [...commands, 'init']) {
    const outcome = await run(line.replace(/new-secret$/, secretFile).replace('people.csv', list), {
      input: userPassword,
    })
    expectRefusal(
      t,
      outcome,
      1,
      `The database ${join(directory, 'rollcall.db')} is of an earlier version of Rollcall, whose servers may be using it. ` +
        'Make a backup, then run `rollcall migrate`, or start the service of this version.\n',
    )
    t.same(schema(), before, line)
  }
})

test('backup and doctor go on beside an earlier version, without migrating; migrate says that there is no way back', async (t) => {
  const { run, done, json, directory, schema } = await createEarlier(t)
  const before = schema()
  await done(['backup', join(directory, 'backup.db')])
  const findings = JSON.parse((await run('doctor --json')).stdout).findings as { check: string; level: string }[]
  t.match(
    findings.find(({ check }) => check === 'migrations'),
    { level: 'warning', message: /migrations have not run: 0\d{3}-/, advice: /rollcall migrate/ },
  )
  t.same(schema(), before)
  const { stdout } = await run('migrate')
  t.match(
    stdout,
    /^Ran 0\d{3}-[\w-]+(, [\w/-]+)*\.\nThe database now has the schema of Rollcall \S+, which earlier versions cannot start with: the way back is a backup from before\.\n$/,
  )
  t.equal((await json('user show admin')).username, 'admin')
  t.same(await json('migrate'), [])
})

test('commands create no database and no administrator', async (t) => {
  const { run, done, directory } = await createCli(t)
  const environment = { ROLLCALL_ADMIN_PASSWORD: adminPassword, DATABASE_URL: 'sqlite:other.db' }
  const file = join(directory, 'other.db')
  for (const line of ['user list', `keys rewrap --new-secret-file ${join(directory, 'secret')}`]) {
    expectRefusal(
      t,
      await run(line, { environment }),
      1,
      /^There is no database at \S+other\.db\. Set DATABASE_URL \(databaseUrl\) to the database of the service, or restore a backup\. Only for a new installation, run `rollcall init`\./,
    )
    t.notOk(existsSync(file), line)
  }
  writeFileSync(file, '')
  expectRefusal(
    t,
    await run('user list', { environment }),
    1,
    /other\.db has no data of Rollcall yet\. Set DATABASE_URL \(databaseUrl\) to the database of the service\. Only for a new installation, run `rollcall init`\./,
  )
  await done('migrate', { environment })
  expectRefusal(t, await run('user list', { environment }), 1, /has no users yet\. Run `rollcall init` first\.\n$/)
  await done('init', { environment })
  t.match(await done('user list', { environment }), /admin/)
})

test(
  'on PostgreSQL, too, a command migrates nothing',
  { skip: (await isPostgresThere()) ? false : skipped },
  async (t) => {
    const url = await createPostgres(t)
    const { run, done } = await createCli(t)
    const environment = { DATABASE_URL: url }
    expectRefusal(t, await run('user list', { environment }), 1, /has no data of Rollcall yet/)
    const db = await openDatabase(url, '/')
    t.teardown(() => db.close())
    await db.migrate({ last: '0015-audit-trail' })
    const pending = await db.pendingMigrations()
    expectRefusal(
      t,
      await run('user list', { environment }),
      1,
      /^The database postgres:\/\/\S+ is of an earlier version/,
    )
    t.same(await db.pendingMigrations(), pending)
    await done('migrate', { environment })
    await done('init', { environment })
    t.match(await done('user list', { environment }), /admin/)
  },
)
