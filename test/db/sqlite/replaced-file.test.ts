import { mock } from 'node:test'
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { createFailure } from '../../../db/failure.js'
import { readLogStart } from '../../../db/sqlite/file-identity.js'
import { openReader } from '../../../db/sqlite/reader.js'
import { createWriteAheadLog } from '../../../db/sqlite/write-ahead-log.js'
import { createWriteLock } from '../../../db/sqlite/write-lock.js'
import { openWriter } from '../../../db/sqlite/writer.js'
import { databaseContent, emptyDirectory, installedDirectory, startChild } from '../../helpers/processes/child.js'
import { createCli } from '../../helpers/processes/cli.js'
import { writeManyUsers } from '../../helpers/processes/many-users-file.js'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { startProcess } from '../../helpers/processes/process.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { startServer } from '../../helpers/service/server.js'

const json = { username: 'admin', password: adminPassword }
const file = (directory: string, suffix = '') => join(directory, `rollcall.db${suffix}`)

/** A backup from before the server started, beside it. */
const backUp = async (t: Test): Promise<string> => {
  const backup = join(await installedDirectory(t), 'backup.db')
  copyFileSync(file(join(backup, '..')), backup)
  return backup
}

const replacements: [what: string, replace: (directory: string, backup: string) => void, told: RegExp][] = [
  ['a backup is moved to its place', (to, from) => renameSync(from, file(to)), /has been replaced or removed/],
  ['a backup is copied into it', (to, from) => copyFileSync(from, file(to)), /has been overwritten/],
  ['it is removed', (to) => rmSync(file(to)), /has been replaced or removed/],
  ['its log is removed', (to) => rmSync(file(to, '-wal')), /The log \S+-wal has been replaced or removed/],
]

for (const [what, replace, told] of replacements) {
  test(
    `when ${what} under a running server, it says so, answers 503 and writes nothing more`,
    onSqliteOnly,
    async (t) => {
      const server = await startServer(t)
      const { accessToken: token } = await server.signIn()
      const backup = await backUp(t)
      const content = readFileSync(backup)
      replace(server.directory, backup)
      expectProblem(t, await server.call('POST', '/auth/login', { json }), 'unavailable')
      expectProblem(t, await server.call('GET', '/health/ready'), 'unavailable')
      expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'unavailable')
      const lines = server
        .log()
        .split('\n')
        .filter((line) => line.includes('"level":60'))
      t.equal(lines.length, 1)
      t.match(lines[0], told)
      t.match(lines[0], /Stop every process that uses it, remove \S+rollcall\.db-wal and \S+-shm, put the file/)
      await server.app.close()
      if (what.startsWith('a backup'))
        t.ok(readFileSync(file(server.directory)).equals(content), 'the new file is as it was')
    },
  )
}

test('a server that nobody asks anything notices it, too, and its process ends', async (t) => {
  const directory = await installedDirectory(t)
  const server = await startProcess(t, { directory })
  renameSync(await backUp(t), file(directory))
  const { code, stdout } = await server.ended
  t.equal(code, 1)
  t.match(stdout, /Rollcall stops: The database \S+ has been replaced or removed while it was in use/)
})

test('the log of a killed server is not applied to a backup that was put in place of its file', async (t) => {
  const directory = await installedDirectory(t)
  const backup = join(emptyDirectory(t), '..', 'backup.db')
  copyFileSync(file(directory), backup)
  const before = databaseContent(directory)
  const server = await startProcess(t, { directory })
  t.equal((await server.call('POST', '/auth/login', { json })).status, 200)
  await server.stop('SIGKILL')
  const killed = emptyDirectory(t)
  cpSync(directory, killed, { recursive: true })

  copyFileSync(backup, file(directory))
  const { ended } = startChild(t, 'server.js', [], { directory, environment: { PORT: '0' } })
  const { code, stderr } = await ended
  t.equal(code, 1)
  t.match(stderr, /the log \S+rollcall\.db-wal is not of this file, which has been replaced without it/)
  t.notMatch(stderr, /^\s+at /m, 'no stack')
  t.ok(readFileSync(file(directory)).equals(readFileSync(backup)), 'nothing was written')
  const cli = await createCli(t)
  t.equal((await cli.run('log', { environment: { DATA_DIR: directory } })).code, 1, 'commands neither')

  for (const suffix of ['-wal', '-shm']) rmSync(file(directory, suffix))
  t.strictSame(databaseContent(directory), before)
  const restored = await startProcess(t, { directory })
  t.equal((await restored.call('POST', '/auth/login', { json })).status, 200)

  const recovered = await startServer(t, { data: killed, hasRealHashes: true })
  t.equal(
    (await recovered.app.loginLog.list({ refusedOnly: false, limit: 9 })).length,
    1,
    'its own log is applied, also in a copy',
  )
})

test('processes that move the log while others write do not take each other for a replacement', async (t) => {
  const directory = await installedDirectory(t)
  // Each added user then changes many pages of the indexes.
  await insertManyUsers(directory, 30_000)
  const server = await startProcess(t, { directory })
  const cli = await createCli(t)
  const environment = { DATA_DIR: directory }
  const logStart = () => readLogStart(file(directory, '-wal'))
  const first = logStart()
  for (let round = 0; round < 10 && logStart() === first; round++) {
    const users = writeManyUsers(directory, { from: 30_001 + 2000 * round, count: 2000 })
    await cli.done(['user', 'import', users], { environment })
    t.equal((await server.call('POST', '/auth/login', { json })).status, 200)
  }
  t.not(logStart(), first, 'the log was moved and has restarted')
  t.equal((await server.call('POST', '/auth/login', { json })).status, 200)
  t.equal((await server.call('GET', '/health/ready')).status, 200)
  await server.stop('SIGKILL')
  const again = await startProcess(t, { directory })
  t.equal((await again.call('POST', '/auth/login', { json })).status, 200)
})

test('transactions that each move the whole log themselves are not taken for a replacement', async (t) => {
  const path = join(emptyDirectory(t), '..', 'large.db')
  const writer = openWriter(path)
  const reader = openReader(path)
  writer.exec('create table big (id integer primary key, content blob)')
  const failure = createFailure()
  const log = createWriteAheadLog(path, { writer, reader }, createWriteLock(writer, failure), failure)
  // SQLite moves the log when it has this many pages: so do transactions of many thousand users.
  writer.pragma('wal_autocheckpoint = 100')
  const now = performance.now()
  t.teardown(() => mock.reset())
  for (let count = 0; count < 10; count++) {
    mock.method(performance, 'now', () => now + count * 2000)
    writer.exec('insert into big (content) values (randomblob(1000000))')
    writer.exec("insert into big (content) values ('small')")
    await log.durable()
  }
  t.equal(failure.current(), undefined)
  await log.close()
  writer.close()
  reader.close()
  log.closed()
})
