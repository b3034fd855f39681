import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { databaseContent, startChild } from '../helpers/processes/child.js'
import { createCli } from '../helpers/processes/cli.js'
import { connect, onSqliteOnly } from '../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { userPassword } from '../helpers/service/passwords.js'
import { eventually } from '../helpers/processes/process.js'
import { startServer, type TestServer } from '../helpers/service/server.js'

const peopleFile = (directory: string, count: number, roles = ''): string => {
  const file = join(directory, 'people.csv')
  const rows = Array.from({ length: count }, (_, index) => `person${index},${roles}`)
  writeFileSync(file, ['username,roles', ...rows].join('\n'))
  return file
}

const listTotal = async (t: Test, server: TestServer): Promise<number> => {
  const { accessToken: token } = await server.signIn()
  return expectSuccess(t, await server.call('GET', '/system/user/page', { token })).total
}

const whole = { forcePasswordChange: false, mode: 'atomic' } as const
const silent = { onStart: () => undefined, onProgress: () => undefined, onRefused: () => undefined }
/** What `--atomic` writes down until it is over. */
const notesIn = ({ directory }: { directory: string }) => {
  const { imports, import_users: users } = databaseContent(directory)
  return [imports?.length, users?.length]
}

test('an import of 1,000 rows is one transaction: nobody else sees a part of it, and a crash leaves none', async (t) => {
  const server = await startServer(t)
  const file = peopleFile(server.directory, 1000, 'admin')
  const other = await connect(server.directory)
  t.teardown(() => other.close())
  /** What others see is what a crash would leave. */
  const committed = async () => {
    const counts = ['users', 'imports', 'audit_trail'].map((table) => `(select count(*) from ${table}) as ${table}`)
    return (await other.all<Record<string, number>>(`select ${counts.join()}`))[0]
  }
  const before = await committed()
  const seen: unknown[] = []
  const onAdded = async () => void seen.push(await committed())
  const onKept = onAdded
  const outcome = await server.app.accounts.importUsers(file, { ...whole, onAdded, onKept }, silent)
  t.match(outcome, { added: 1000, refused: 0 })
  t.ok(seen.length > 2, 'it is written in several steps, between which the event loop is free')
  for (const counts of seen) t.same(counts, before)
  t.match(await committed(), { users: 1001, imports: 0 })
})

for (const [count, taken] of [
  [1000, 700],
  [2500, 2200],
] as const)
  test(`a name that is taken after the check leaves nobody of ${count} rows`, onSqliteOnly, async (t) => {
    const server = await startServer(t)
    const file = peopleFile(server.directory, count, 'admin')
    const before = await listTotal(t, server)
    const refused: unknown[] = []
    let steps = 0
    const outcome = await server.app.accounts.importUsers(file, whole, {
      ...silent,
      onRefused: (row) => refused.push(row),
      onProgress(done) {
        steps += done
        if (steps !== count) return
        // All have been checked, and nobody has been written yet.
        const db = new Sqlite(join(server.directory, 'rollcall.db'))
        const admin =
          db.prepare<[], Record<string, unknown>>("select * from users where username = 'admin'").get() ?? {}
        const other = { ...admin, id: null, username: `PERSON${taken}`, username_key: `person${taken}` }
        const marks = Object.keys(other).map(() => '?')
        db.prepare(`insert into users (${Object.keys(other).join()}) values (${marks.join()})`).run(
          Object.values(other),
        )
        db.close()
      },
    })
    t.same(outcome, { rows: count, added: 0, refused: 1, interrupted: false })
    t.same(refused, [{ line: taken + 2, faults: [{ field: 'username', rule: 'taken' }] }])
    t.equal(await listTotal(t, server), before + 1, 'only the other one is there')
    t.equal(databaseContent(server.directory)['user_roles']?.length, 1)
    t.same(notesIn(server), [0, 0])
  })

test(
  'what is left of an import whose process has ended goes, with its sessions, and nothing else does',
  onSqliteOnly,
  async (t) => {
    const server = await startServer(t)
    const { db } = server.app
    const before = await listTotal(t, server)
    const add = async (id: number, name: string) => {
      const { id: userId } = await server.addUser(name, { roles: ['admin'] })
      t.ok(await db.imports.record(id, [userId], server.clock.now()))
      return (await server.signIn(name, userPassword)).accessToken
    }
    const dead = await db.imports.begin(server.clock.now())
    const deadToken = await add(dead, 'dead')
    server.clock.advance(90)
    const alive = await db.imports.begin(server.clock.now())
    const aliveToken = await add(alive, 'alive')
    const kept = await db.imports.begin(server.clock.now())
    const keptToken = await add(kept, 'kept')
    t.ok(await db.imports.keep(kept))
    await server.app.housekeeping.run()
    t.equal(await listTotal(t, server), before + 3, 'nobody goes before two minutes are over')
    server.clock.advance(31)
    await server.app.housekeeping.run()
    t.equal(await listTotal(t, server), before + 2)
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token: deadToken }), 'session_expired')
    for (const token of [aliveToken, keptToken]) {
      expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    }
    t.same(notesIn(server), [1, 1], 'only that which is still under way')
    t.notOk(await db.imports.record(dead, [], server.clock.now()), 'it cannot go on any more')
    t.notOk(await db.imports.keep(dead))
  },
)

test('Ctrl-C leaves nobody; so does an end by force, at the latest with the next import', async (t) => {
  const cli = await createCli(t)
  const file = peopleFile(cli.directory, 20_000)
  const count = () => cli.content()['users']?.length ?? 0
  const start = async () => {
    const started = startChild(t, 'cli/main.js', ['user', 'import', file, '--atomic'], { directory: cli.directory })
    await eventually('the first of them', () => count() > 1 || undefined)
    return started
  }
  const interrupted = await start()
  interrupted.child.kill('SIGINT')
  const { code, stdout } = await interrupted.ended
  t.same([code, stdout], [130, 'Interrupted; nobody was added.\n'])
  t.equal(count(), 1)
  const killed = await start()
  killed.child.kill('SIGKILL')
  await killed.ended
  t.ok(count() > 1)
  const db = await openDatabase('sqlite:rollcall.db', cli.directory)
  const [id = 0] = await db.imports.stale(Date.now())
  await db.imports.record(id, [], Date.now() - 3 * 60 * 1000)
  await db.close()
  writeFileSync(file, 'username\nsomebody\n')
  t.equal(await cli.done(['user', 'import', file, '--atomic']), 'Added 1 user, refused 0 rows.\n')
  t.same(
    cli.content()['users']?.map((row) => (row as Record<string, unknown>)['username']),
    ['admin', 'somebody'],
  )
  t.same(notesIn(cli), [0, 0])
})
