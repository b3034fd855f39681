import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { adminPassword, userPassword } from '../helpers/service/passwords.js'
import { createPostgres, isPostgresThere, skipped } from '../helpers/databases/postgres.js'
import { startProcess } from '../helpers/processes/process.js'

const skip = (await isPostgresThere()) ? false : skipped

const addUser = (name: string) => `user add --username ${name} --password-stdin`

test('after a move to PostgreSQL nothing writes to the old file, until it is reopened', { skip }, async (t) => {
  const { run, done, json, directory, content } = await createCli(t)
  const DATABASE_URL = await createPostgres(t)
  const file = join(directory, 'rollcall.db')
  const sentence = await done('copy', { environment: { ROLLCALL_COPY_TO: DATABASE_URL } })
  t.match(
    sentence,
    /The old database is marked as moved, and is refused from now on; `rollcall reopen` would let it be used/,
  )
  const before = content()
  const shown = DATABASE_URL.replace(/\/\/.*@/, '//')
  const refusal =
    `The database ${file} has been moved to ${shown} by \`rollcall copy\`. Set DATABASE_URL (databaseUrl) to that database, ` +
    'or, to use this one again, run `rollcall reopen`.\n'
  for (const line of [addUser('late'), 'user list', 'init', 'migrate', 'keys list', 'start']) {
    const outcome = await run(line, { input: userPassword, environment: { PORT: '0' } })
    expectRefusal(t, { ...outcome, stdout: line === 'start' ? '' : outcome.stdout }, 1, refusal)
    t.notMatch(outcome.stdout, 'is ready')
  }
  expectRefusal(t, await run('copy --to sqlite:more.db'), 1, refusal.replace('The database ', ''))
  t.same(content(), before)
  const findings = JSON.parse((await run('doctor --json')).stdout).findings as { message: string }[]
  t.match(
    findings.filter(({ message }) => message.includes('moved')),
    [{ check: 'database', level: 'fault', message: `the data have been moved to ${shown} by rollcall copy` }],
  )

  const there = { environment: { DATABASE_URL } }
  t.match(await done(addUser('late'), { ...there, input: userPassword }), 'Added user late')
  const server = await startProcess(t, { directory, ...there })
  t.equal((await server.signIn('admin', adminPassword)).status, 200)
  await server.stop()

  t.same(await json('reopen'), { database: file, movedTo: shown })
  t.equal(await done('reopen'), `Nothing to do: ${file} is not marked as moved.\n`)
  t.notMatch(await done('user list'), /late/)
  // The way back with everything: a copy in the other direction.
  await done('copy --to sqlite:back.db', { environment: { ROLLCALL_COPY_FROM: DATABASE_URL } })
  t.match(await done('user list', { environment: { DATABASE_URL: 'sqlite:back.db' } }), /late/)
  expectRefusal(t, await run('user list', there), 1, /has been moved to \S+back\.db by/)
})

test('copy refuses beside a live server, unless the source stays in use', async (t) => {
  const { run, done, json, directory } = await createCli(t)
  const server = await startProcess(t, { directory })
  expectSuccess(t, await server.call('GET', '/auth/captcha'))
  const outcome = await run('copy --to sqlite:copy.db')
  expectRefusal(
    t,
    outcome,
    1,
    /^A server uses \S+rollcall\.db, or was killed less than 150 seconds ago\. Stop all servers first, .* Nothing has been copied\.\n$/,
  )
  t.match(await done('copy --keep --store --to sqlite:copy.db'), /and compared them\.\nThe source stays in use\.\n$/)
  const copy = new Sqlite(join(directory, 'copy.db'), { readonly: true })
  t.teardown(() => copy.close())
  const keys = copy.prepare('select key from store').pluck().all()
  t.ok(keys.length > 0)
  t.notOk(keys.includes('settings-in-use'), 'no server uses the copy')
  t.match(await done(addUser('late'), { input: userPassword }), 'Added user late')
  await server.stop()
  t.match(await json('copy --to sqlite:second.db'), { rows: { users: 2 }, moved: true })
})
