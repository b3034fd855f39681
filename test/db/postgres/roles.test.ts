import { test, type Test } from 'tap'
import { createPostgres, isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import { createRole, expectRefused } from '../../helpers/databases/roles.js'
import { installedDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { startProcess } from '../../helpers/processes/process.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'

const skip = (await isPostgresThere()) ? false : skipped

/** A database whose tables belong to `postgres`, as after a dump was restored by it, and a role without any right. */
const start = async (t: Test) => {
  const url = await createPostgres(t)
  const own = await createRole(t, url)
  const directory = await installedDirectory(t)
  const asOwner = { DATABASE_URL: url, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  t.match(await runCommand(t, ['init'], { directory, environment: asOwner }), { code: 0 })
  const { username: role } = own
  const grant = `grant select, insert, update, delete on all tables in schema public to ${role}`
  return { url, own: own.href, role, grant, directory }
}

test('a role that may read and write, and create nothing, serves and runs commands', { skip }, async (t) => {
  const { url, own, role, grant, directory } = await start(t)
  await runSql(url, grant)
  t.strictSame(await runSql(url, `select has_schema_privilege('${role}', 'public', 'create') as may`), [{ may: false }])
  const environment = { DATABASE_URL: own }
  const server = await startProcess(t, { directory, environment })
  const { accessToken: token } = expectSuccess(t, await server.signIn('admin', adminPassword))
  const json = { username: 'bob', realName: 'Bob', userType: 2, password: 'plain green teapot' }
  expectSuccess(t, await server.call('POST', '/system/user', { token, json }))
  t.match(await server.call('GET', '/system/user/page?username=bob', { token }), { body: { data: { total: 1 } } })
  t.match(await runCommand(t, ['doctor'], { directory, environment }), { code: 0 })
  t.match(
    await runCommand(t, ['user', 'passwd', 'bob', '--password-stdin'], {
      directory,
      environment,
      input: 'other green teapot\n',
    }),
    {
      code: 0,
    },
  )
  await server.stop()
})

test('a dump that was restored under another owner is refused with the grant, in one line', { skip }, async (t) => {
  const { own, role, grant } = await start(t)
  const message = new RegExp(
    `the role ${role} may not select, insert, update, delete in the table api_tokens and \\d+ others: run \`${grant}\` as postgres`,
  )
  await expectRefused(t, own, message)
})

test('one right that is missing on one table is found at the start', { skip }, async (t) => {
  const { url, own, role, grant } = await start(t)
  for (const [privilege, table] of [
    ['insert', 'sessions'],
    ['delete', 'store'],
    ['select', 'kysely_migration'],
    ['insert', 'user_changes'],
  ] as const) {
    await runSql(url, grant, `revoke ${privilege} on ${table} from ${role}`)
    await expectRefused(
      t,
      own,
      new RegExp(`the role ${role} may not ${privilege} in the table ${table}: run \`${grant}\``),
    )
  }
})

test(
  'tables that must be changed by a role that does not own them are refused with what to do',
  { skip },
  async (t) => {
    const { url, own, role, grant } = await start(t)
    await runSql(url, grant, 'delete from kysely_migration where name = (select max(name) from kysely_migration)')
    await expectRefused(
      t,
      own,
      /its tables belong to postgres .*start this version once as postgres, or run `grant postgres to/,
    )
    t.ok(role)
  },
)

test('functions of another version that belong to somebody else are told in one line', { skip }, async (t) => {
  const { url, own, grant, directory } = await start(t)
  await runSql(
    url,
    grant,
    'create or replace function log_users_insert() returns trigger language plpgsql as $$begin return null; end$$',
  )
  const environment = { DATABASE_URL: own }
  const { code, stderr } = await runCommand(t, ['start'], { directory, environment })
  t.equal(code, 1)
  t.match(
    stderr,
    /^The database has functions of another version of Rollcall[^\n]*start this version once as the owner\.\n$/,
  )
})
