import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { test } from 'tap'
import { eventually } from '../../helpers/processes/process.js'
import { startServer } from '../../helpers/service/server.js'

const megabyte = 1024 * 1024
const day = 24 * 3600 * 1000

/** Whether all of the log is in the database, but for the copy of its first page that a new log begins with. */
const isMoved = (directory: string): boolean => {
  const connection = new Sqlite(join(directory, 'rollcall.db'), { readonly: true })
  const [state] = connection.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[]
  connection.close()
  return (state?.log ?? 0) - (state?.checkpointed ?? 0) <= 1
}

test('the write-ahead log starts anew under steady load, and does not grow for ever', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const { store } = server.app
  const log = join(server.directory, 'rollcall.db-wal')
  const write = async (count: number) => {
    await store.set('key', String(count % 10).repeat(megabyte / 4), day)
    await setImmediate()
  }
  for (let count = 0; count < 80; count++) await write(count)
  await eventually('the first move', () => isMoved(server.directory) || undefined)
  for (let count = 0; count < 480; count++) await write(count)
  t.ok(statSync(log).size < 60 * megabyte, `${statSync(log).size} bytes after 140 MB were written`)
})

test('what was written is moved to the database while the service runs', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const { store } = server.app
  await store.set('key', 'x'.repeat(20 * megabyte), day)
  await eventually('the log to be moved', () => isMoved(server.directory) || undefined)
  t.equal((await store.get('key'))?.length, 20 * megabyte)
})

test('parallel writes all succeed while the log is moved, and closing waits for it', async (t) => {
  const server = await startServer(t)
  const { store } = server.app
  const value = 'x'.repeat(megabyte)
  await Promise.all(Array.from({ length: 20 }, (_, index) => store.set(`key-${index}`, value, day)))
  await Promise.all(Array.from({ length: 20 }, () => store.increment('counter', 1, day)))
  t.equal((await store.increment('counter', 0, day)).count, 20)
  await server.app.close()
  t.throws(() => statSync(join(server.directory, 'rollcall.db-wal')), { code: 'ENOENT' }, 'closed in good order')
})
