import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { databaseContent, startChild } from '../helpers/processes/child.js'
import { createCli, expectRefusal, type Cli } from '../helpers/processes/cli.js'
import { cookieOf } from '../helpers/load/lockout-attack.js'
import { insertManyUsers } from '../helpers/service/many-users.js'
import { adminPassword, userPassword } from '../helpers/service/passwords.js'
import { createPostgres, isPostgresThere, runSql, skipped } from '../helpers/databases/postgres.js'
import { startProxy } from '../helpers/databases/tcp-proxy.js'
import { writeManyUsers } from '../helpers/processes/many-users-file.js'
import { eventually, startProcess } from '../helpers/processes/process.js'

const skip = (await isPostgresThere()) ? false : skipped

const addUser = (cli: Cli, name: string, environment: Record<string, string> = {}) =>
  cli.json(`user add --username ${name} --real-name ${name} --password-stdin --no-force-change`, {
    input: userPassword,
    environment,
  })

const start = (t: Test, cli: Cli, DATABASE_URL: string) =>
  startProcess(t, { directory: cli.directory, environment: { DATABASE_URL } })

/** What a browser keeps of a session. */
interface Kept {
  token: string
  cookie: string
}

type Running = Awaited<ReturnType<typeof start>>

const signIn = async (server: Running): Promise<Kept> => {
  const answer = await server.signIn('admin', adminPassword)
  return { token: answer.body.data.accessToken as string, cookie: cookieOf(answer) }
}

const readList = async (server: Running, token: string) =>
  (await server.call('GET', '/system/user/page?pageSize=100&orderByColumn=id&isAsc=asc', { token })).body.data

/** Checks a server on the copy with what was kept before it; resolves to a session on it. */
const expectSame = async (t: Test, server: Running, before: { kept: Kept; ended: Kept; list: any }): Promise<Kept> => {
  const { kept, ended, list } = before
  t.equal((await server.call('GET', '/auth/userInfo', { token: kept.token })).status, 200, 'the old token counts')
  const refused = await server.call('GET', '/auth/userInfo', { token: ended.token })
  t.equal(refused.body.data.reason, 'session_revoked', 'an ended session stays ended')
  const refresh = (headers: Record<string, string>) =>
    server.call('POST', '/auth/refreshToken', { token: kept.token, headers })
  t.equal((await refresh({})).status, 401, 'a refresh needs the cookie of the device')
  const renewed = await refresh({ cookie: kept.cookie })
  t.equal(renewed.status, 200, renewed.text)
  const token = renewed.body.data.accessToken as string
  const now = await readList(server, token)
  t.same(now, list, 'the same list')
  t.equal((await server.signIn('ada', userPassword)).status, 200, 'passwords count')
  t.equal((await server.signIn('ada', 'another password')).body.data.reason, 'invalid_credentials')
  return { token, cookie: kept.cookie }
}

test('a service moves to PostgreSQL and back, and nobody has to sign in again', { skip }, async (t) => {
  const cli = await createCli(t)
  const postgres = await createPostgres(t)
  await cli.done('role add auditor system:user:list')
  await addUser(cli, 'ada')
  await cli.done('role assign auditor ada')
  const { id: deleted } = await addUser(cli, 'deleted')
  await cli.done('user delete deleted --yes')

  let server = await start(t, cli, 'sqlite:rollcall.db')
  let kept = await signIn(server)
  const ended = await signIn(server)
  await server.call('POST', '/auth/logout', { token: ended.token })
  // The device is bound at the first refresh with its cookie.
  const bind = async () => {
    const { headers, body } = await server.call('POST', '/auth/refreshToken', {
      token: kept.token,
      headers: { cookie: kept.cookie },
    })
    const cookie = (headers.get('set-cookie') ?? kept.cookie).split(';')[0] ?? ''
    kept = { token: body.data.accessToken as string, cookie }
  }
  await bind()
  const list = await readList(server, kept.token)
  await server.stop()

  const copied = await cli.json('copy', { environment: { ROLLCALL_COPY_TO: postgres } })
  t.match(copied, { from: join(cli.directory, 'rollcall.db'), rows: { users: 2, roles: 2, signing_keys: 1 } })
  t.notOk('store' in copied.rows)
  t.match(copied.to, /^postgres:\/\/[^@]+\/rollcall_test_\w+$/, 'without the name of the user')
  server = await start(t, cli, postgres)
  kept = await expectSame(t, server, { kept, ended, list })
  await server.stop()
  const { id: added } = await addUser(cli, 'added', { DATABASE_URL: postgres })
  t.ok(added > deleted, `user ${added} has no number of a deleted user (${deleted})`)
  await cli.done('user delete added --yes', { environment: { DATABASE_URL: postgres } })

  const back = ['copy', '--from', postgres, '--to', 'sqlite:back.db', '--store']
  t.match(
    await cli.done(back),
    /^Copied 2 users and \d+ other rows from postgres:.* to .*back\.db, and compared them\.\n/,
  )
  t.equal(statSync(join(cli.directory, 'back.db')).mode & 0o777, 0o600)
  server = await start(t, cli, 'sqlite:back.db')
  const last = await server.call('GET', '/auth/userInfo', { token: kept.token })
  t.equal(last.status, 200)
  const names = (await readList(server, kept.token)).records.map(({ username }: any) => username)
  t.same(names, ['admin', 'ada'])
  const search = await server.call('GET', '/system/user/page?username=ad', { token: kept.token })
  t.equal(search.body.data.total, 2, 'names are found')
  await server.stop()
  const { id: later } = await addUser(cli, 'later', { DATABASE_URL: 'sqlite:back.db' })
  t.ok(later > added, `user ${later} has no number of a user deleted on the other engine (${added})`)
})

test('a copy between two files has everything, and the store only on request', async (t) => {
  const cli = await createCli(t)
  await cli.done('tenant add Acme')
  await cli.done('role add editor content:article:list')
  await cli.done(['user', 'import', writeManyUsers(cli.directory, { count: 500, role: 'editor' })])
  const database = new Sqlite(join(cli.directory, 'rollcall.db'))
  database.prepare('insert into store values (?, ?, ?)').run('counter', '3', 4e12)
  database.close()
  const before = databaseContent(cli.directory)
  for (const [options, entries] of [
    ['', 0],
    [' --store', (before['store'] ?? []).length],
  ] as const) {
    const name = `copy${entries}.db`
    const { rows } = await cli.json(`copy --keep --to sqlite:${name}${options}`)
    t.equal(rows.users, 501)
    const copy = new Sqlite(join(cli.directory, name), { readonly: true })
    for (const table of Object.keys(rows as object)) {
      t.same(copy.prepare(`select * from ${table}`).all(), before[table], table)
    }
    t.equal(copy.prepare('select count(*) from store').pluck().get(), entries)
    t.equal(copy.prepare('select count(*) from user_name_changes').pluck().get(), 0, 'all names are indexed')
    copy.close()
  }
  t.same(databaseContent(cli.directory), before, 'the source is as it was')
})

test('what cannot be copied is refused, and nothing is created or changed', async (t) => {
  const cli = await createCli(t)
  const other = await createCli(t)
  const rewrite = (name: string, sql: string) => {
    new Sqlite(join(cli.directory, 'rollcall.db')).exec(`vacuum into '${join(cli.directory, name)}'`).close()
    new Sqlite(join(cli.directory, name)).exec(sql).close()
  }
  rewrite('older.db', `delete from kysely_migration where name like '0019%'`)
  rewrite('later.db', `insert into kysely_migration values ('9999-later', '')`)
  rewrite('first.db', 'delete from kysely_migration; drop table users')
  new Sqlite(join(cli.directory, 'strange.db')).exec('create table things (id integer)').close()
  writeFileSync(join(cli.directory, 'text.db'), 'precious text, and no database\n'.repeat(100))
  const before = databaseContent(cli.directory)
  // SQLite keeps them beside a file that was read.
  const filesThere = () => readdirSync(cli.directory).filter((name) => !/-(wal|shm)$/.test(name))
  const files = filesThere()
  const full = join(other.directory, 'rollcall.db')
  const rows: [args: string, message: RegExp][] = [
    [
      '--from sqlite:nowhere.db --to sqlite:new.db',
      /^There is no database at \/.*nowhere\.db\. Nothing has been copied\.\n$/,
    ],
    ['--from sqlite:strange.db --to sqlite:new.db', /strange\.db is not a database of Rollcall\. Nothing/],
    ['--from sqlite:text.db --to sqlite:new.db', /text\.db cannot be opened: file is not a database\. Nothing/],
    [
      '--from sqlite:older.db --to sqlite:new.db',
      /of an earlier version of Rollcall \(without 0019-[^)]*\)\. Run `rollcall migrate` with DATABASE_URL/,
    ],
    [
      '--from sqlite:later.db --to sqlite:new.db',
      /of a later version of Rollcall \(9999-later\)\. Install that version, or a newer one\. Nothing has been copied/,
    ],
    [
      '--from sqlite::memory: --to sqlite:new.db',
      /^A database in memory \(sqlite::memory:\) would end with the process\./,
    ],
    ['--to sqlite:rollcall.db', /^Source and target are the same\. Nothing/],
    [
      `--to sqlite:${full}`,
      /has data already \(table tenants\)\. Name an empty database\. Nothing has been copied\.\n$/,
    ],
    ['--to sqlite:older.db', /has data already \(table tenants\)/],
    ['--to sqlite:later.db', /of a later version of Rollcall/],
    ['--to sqlite:no/folder.db', /folder\.db cannot be opened: [^\n]+ Nothing has been copied\.\n$/],
    [
      '--to postgres://127.0.0.1:1/rollcall',
      /^postgres:\/\/127\.0\.0\.1:1\/rollcall cannot be opened: [^\n]*ECONNREFUSED[^\n]*\n$/,
    ],
  ]
  for (const [args, message] of rows) expectRefusal(t, await cli.run(`copy ${args}`), 1, message)
  const wrong: [args: string, message: RegExp][] = [
    ['', /required option '--to <url>' not specified/],
    ['--to rollcall.db', /--to must be sqlite:PATH or postgres:/],
    ['--to sqlite:new.db --from mysql://a/b', /--from must be sqlite:PATH or postgres:/],
    [
      '--to postgres://rollcall:word@127.0.0.1/a',
      /every process of the machine can see\. Set ROLLCALL_COPY_TO to the URL instead/,
    ],
    ['--to sqlite:new.db --from postgres://127.0.0.1/a?password=word', /Set ROLLCALL_COPY_FROM to the URL instead/],
  ]
  for (const [args, message] of wrong) {
    const outcome = await cli.run(`copy ${args}`)
    expectRefusal(t, outcome, 2, message)
    t.notMatch(outcome.stderr, 'word@')
  }
  const environment = { ROLLCALL_COPY_TO: 'postgres://rollcall:word@127.0.0.1:1/a' }
  const unreachable = await cli.run('copy', { environment })
  expectRefusal(t, unreachable, 1, /^postgres:\/\/127\.0\.0\.1:1\/a cannot be opened/)
  t.notMatch(unreachable.stderr, 'word')
  t.same(databaseContent(cli.directory), before)
  t.same(filesThere(), files)
  t.equal(existsSync(join(cli.directory, 'new.db')), false)
  const json = await cli.run('copy --to sqlite:rollcall.db --json')
  t.match(JSON.parse(json.stderr), { error: { reason: 'failed', message: /^Source and target are the same/ } })
})

/** Runs the copy as a process of its own, sends `signal` as soon as `hasBegun`, and resolves to its end. */
const interruptCopy = async (
  t: Test,
  cli: Cli,
  to: string,
  signal: NodeJS.Signals,
  hasBegun: () => Promise<boolean> | boolean,
) => {
  const environment = { ROLLCALL_COPY_TO: to }
  const { child, ended } = startChild(t, 'cli/main.js', ['copy'], { directory: cli.directory, environment })
  await eventually('the copy to begin', async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    return (await hasBegun()) || undefined
  })
  child.kill(signal)
  return ended
}

test('a copy that is killed leaves an empty target, to which the next one copies', { skip }, async (t) => {
  const cli = await createCli(t)
  await insertManyUsers(cli.directory, 20_000)
  const file = join(cli.directory, 'copy.db')
  /** Whether a transaction holds the migrated file. */
  const isWriting = () => {
    if (!existsSync(file)) return false
    const target = new Sqlite(file, { timeout: 0 })
    try {
      target.prepare('select banned_until from users').get()
      target.exec('begin immediate; rollback')
      return false
    } catch (error) {
      return (error as { code?: string }).code === 'SQLITE_BUSY'
    } finally {
      target.close()
    }
  }
  const interrupted = await interruptCopy(t, cli, 'sqlite:copy.db', 'SIGTERM', isWriting)
  t.match(interrupted, { code: 143, stdout: 'Interrupted. Nothing has been copied.\n' })
  t.match(await interruptCopy(t, cli, 'sqlite:copy.db', 'SIGKILL', isWriting), { signal: 'SIGKILL', stdout: '' })
  const copy = new Sqlite(file)
  t.equal(copy.prepare('select count(*) from tenants').pluck().get(), 0)
  t.equal(copy.prepare('select count(*) from users').pluck().get(), 0)
  copy.close()
  t.match(await cli.json('copy --keep --to sqlite:copy.db'), { rows: { users: 20_001 } })

  const postgres = await createPostgres(t)
  const isInserting = async () => {
    const [row] = await runSql(
      postgres,
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and query like 'insert into "users"%'`,
    )
    return row.count > 0
  }
  t.match(await interruptCopy(t, cli, postgres, 'SIGKILL', isInserting), { signal: 'SIGKILL', stdout: '' })
  t.match(await cli.json(`copy --to ${postgres}`), { rows: { users: 20_001 } })
  const before = await runSql(postgres, 'select count(*)::int as count from pg_indexes')
  await cli.done('reopen')
  expectRefusal(t, await cli.run(`copy --to ${postgres}`), 1, /has data already \(table tenants\)/)
  t.same(await runSql(postgres, 'select count(*)::int as count from pg_indexes'), before)
})

test('a copy whose commit gets no answer does not say that nothing has been copied', { skip }, async (t) => {
  const cli = await createCli(t)
  const url = await createPostgres(t)
  const { port } = new URL(url)
  const proxy = await startProxy(t, Number(port))
  const environment = { ROLLCALL_COPY_TO: url.replace(`:${port}/`, `:${proxy.port}/`) }
  proxy.set('reset at commit')
  const early = await cli.run('copy', { environment })
  expectRefusal(t, early, 1, /does not answer: [^\n]+ Nothing has been copied\.\n$/)
  t.equal(proxy.resets(), 1, 'while the schema was made')

  proxy.set('reset at commit', 'insert into "users"')
  const message =
    /^A database does not answer: [^\n]+ may have been copied, and [^\n]+ is not marked as moved: empty the target, and copy again\.\n$/
  expectRefusal(t, await cli.run('copy', { environment }), 1, message)
  t.equal(proxy.resets(), 2)
  t.match(await cli.done('user list', { environment: { DATABASE_URL: url } }), /admin/, 'the rows were committed')
  t.match(await cli.done('user list'), /admin/, 'the source is still in use')
})
