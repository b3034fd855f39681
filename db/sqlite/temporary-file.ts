import Sqlite from 'better-sqlite3'
import { TemporaryFolderError } from '../../lib/temporary-folder.js'
import type { TemporaryFile } from '../temporary-file.js'

/** Memory that it uses before it writes to the disk. KiB. */
const cacheSize = 8 * 1024

/** The file that SQLite makes behind the cache cannot be written. */
const faults = /^SQLITE_(CANTOPEN|FULL|IOERR|READONLY)/

const explain = <T>(write: () => T): T => {
  try {
    return write()
  } catch (error) {
    throw error instanceof Sqlite.SqliteError && faults.test(error.code) ? new TemporaryFolderError(error) : error
  }
}

/**
 * A database without a name, which SQLite moves to the folder for temporary files when it grows. Only this process can
 * read it.
 */
export const openTemporaryFile = <Item>(): TemporaryFile<Item> => {
  const db = new Sqlite('')
  db.pragma('temp_store = file')
  db.pragma(`cache_size = ${-cacheSize}`)
  // It needs neither rollback nor durability.
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.exec('create table items (id integer primary key, item text not null)')
  db.exec('create table names (name text primary key, line integer not null) without rowid')
  const insertItem = db.prepare('insert into items (item) values (?)')
  const selectItems = db.prepare<[number, number], { item: string }>(
    'select item from items where id > ? and id <= ? order by id',
  )
  const insertName = db.prepare('insert into names values (?, ?)')
  const selectName = db.prepare<[string], { line: number }>('select line from names where name = ?')

  let count = 0
  const insertItems = db.transaction((items: Item[]) => {
    for (const item of items) insertItem.run(JSON.stringify(item))
    count += items.length
  })
  const insertNames = db.transaction((names: string[], line: number) => {
    for (const name of names) insertName.run(name, line)
  })

  return {
    add: (items) => explain(() => insertItems(items)),
    count: () => count,
    // eslint-disable-next-line no-restricted-syntax -- nobody else can open the file
    slice: (start, end) => selectItems.all(start, end).map(({ item }) => JSON.parse(item) as Item),
    claimedBy: (name) => selectName.get(name)?.line,
    claim: (names, line) => explain(() => insertNames(names, line)),
    close() {
      db.close()
    },
  }
}
