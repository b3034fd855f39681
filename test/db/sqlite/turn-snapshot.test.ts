import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openReader } from '../../../db/sqlite/reader.js'
import { createTurnSnapshot } from '../../../db/sqlite/user-list/turn-snapshot.js'

/** A table whose rows are counted in snapshots, and whose version the test sets. */
const open = (t: Test) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  const path = join(directory, 'test.db')
  const writer = new Sqlite(path)
  writer.pragma('journal_mode = WAL')
  writer.exec('create table t (a)')
  const reader = openReader(path)
  const state = { version: 1, begun: 0 }
  const count = reader.prepare<[], number>('select count(*) from t').pluck()
  const onBegin = () => {
    state.begun++
    count.get()
  }
  const snapshot = createTurnSnapshot(reader, () => state.version, onBegin)
  t.teardown(() => {
    snapshot.end()
    reader.close()
    writer.close()
    rmSync(directory, { recursive: true })
  })
  return {
    state,
    reader,
    end: snapshot.end,
    add: () => writer.exec('insert into t values (1)'),
    rows: () => snapshot.read(() => count.get()),
  }
}

test('reads of one turn of the event loop share a snapshot, those of the next have a new one', async (t) => {
  const { state, add, rows } = open(t)
  t.equal(rows(), 0)
  add()
  t.equal(rows(), 0, 'as at the first read')
  t.equal(state.begun, 1)
  await setImmediate()
  t.equal(rows(), 1)
  t.equal(state.begun, 2)
})

test('a commit of this process in the middle of a turn begins a new snapshot', async (t) => {
  const { state, add, rows } = open(t)
  t.equal(rows(), 0)
  add()
  state.version++
  t.equal(rows(), 1)
  t.equal(state.begun, 2)
})

test('no snapshot stays open after its turn, so that the log can begin anew', async (t) => {
  const { reader, rows } = open(t)
  rows()
  t.equal(reader.inTransaction, true)
  await setImmediate()
  t.equal(reader.inTransaction, false)
})

test('a failed read leaves no snapshot that a later read would use', async (t) => {
  const { reader, state, rows, end } = open(t)
  const failing = createTurnSnapshot(
    reader,
    () => 1,
    () => {
      throw new Error('cannot be read')
    },
  )
  t.throws(() => failing.read(() => 1), { message: 'cannot be read' })
  t.throws(() => failing.read(() => 1), { message: 'cannot be read' }, 'not with what the first attempt began')
  failing.end()
  t.equal(reader.inTransaction, false)
  t.equal(rows(), 0)
  t.equal(state.begun, 1)
  end()
})
