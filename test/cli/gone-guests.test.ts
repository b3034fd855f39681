import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { connect, isOnPostgres } from '../helpers/databases/database.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

/** What a guest leaves behind that this version does not have. */
const statements = [
  'create table former_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
  'create table former_migration_lock (id varchar(255) primary key, is_locked integer default 0 not null)',
  'create table former_notes (id integer primary key, note text not null)',
  "insert into former_migration values ('0001-notes', '2026-01-01T00:00:00.000Z')",
  "insert into former_notes values (1, 'call back')",
]

test('a database that a guest of another version has used serves on, keeps its tables, and doctor says so', async (t) => {
  const { run, done, directory } = await createCli(t)
  const connection = await connect(directory)
  t.teardown(() => connection.close())
  for (const statement of statements) await connection.run(statement)
  const notes = () => connection.all('select note from former_notes')

  const server = await startProcess(t, { directory })
  t.equal((await server.signIn('admin', adminPassword)).status, 200)
  await server.stop()
  t.match(await done('user list'), /admin/)
  t.match(
    (await run('doctor')).stdout,
    /warning +migrations: the database keeps tables of former, which this version does not have: former_notes\n/,
  )
  t.equal((await run('doctor')).code, 0)
  expectRefusal(
    t,
    await run(`copy --keep --to sqlite:${join(directory, 'copy.db')}`),
    1,
    /has tables of `former` \(former_notes\), which this version does not have, and they would be lost\. Copy with a version that has it/,
  )
  t.strictSame(await notes(), [{ note: 'call back' }])
  if (isOnPostgres) return
  await done(`backup ${join(directory, 'backup.db')}`)
  const backup = new Sqlite(join(directory, 'backup.db'), { readonly: true })
  t.strictSame(backup.prepare('select note from former_notes').all(), [{ note: 'call back' }])
  backup.close()
})
