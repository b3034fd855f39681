import { stat } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { createVersion } from '../../../db/sqlite/version.js'

/** Longer than a question to the file system takes. Milliseconds. */
const aWhile = 20

test('what another process has committed counts for the next request, also after a turn that ended with a question', async (t) => {
  const path = join(t.testdir(), 'rollcall.db')
  const writer = new Sqlite(path)
  writer.pragma('journal_mode = wal')
  writer.exec('create table notes (note text)')
  const reader = new Sqlite(path, { readonly: true })
  t.teardown(() => [writer, reader].map((connection) => connection.close()))
  const { version } = createVersion(reader)

  // Immediates run after what has arrived: the one that would follow this one runs after the answer of the file system.
  await setImmediate()
  const before = version()
  writer.exec(`insert into notes values ('committed')`)
  const after = new Promise<number>((resolve) => stat(path, () => resolve(version())))
  for (const end = Date.now() + aWhile; Date.now() < end;);
  t.not(await after, before)
})
