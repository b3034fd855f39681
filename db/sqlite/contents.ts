import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../../lib/operator-error.js'
import type { Contents } from '../backup.js'
import { ofLaterVersion } from '../migrate.js'
import { createMigrations } from '../migrations/index.js'
import { sqliteSchema } from './schema.js'

const silent = () => undefined
const knownMigrations = () => new Set(Object.keys(createMigrations(sqliteSchema, silent, silent)))

const readAll = (file: Sqlite.Database, name: string): Omit<Contents, 'bytes'> => {
  // The file alone is the whole database: without this, opening it would create a log and an index beside it.
  file.pragma('journal_mode = delete')
  const faults = file.pragma('integrity_check') as { integrity_check: string }[]
  const [first] = faults
  if (first?.integrity_check !== 'ok') {
    throw new OperatorError(`${name} is damaged: ${first?.integrity_check ?? 'it cannot be checked'}.`)
  }
  if ((file.pragma('foreign_key_check') as unknown[]).length > 0) {
    throw new OperatorError(`${name} is damaged: rows refer to other rows that do not exist.`)
  }
  const known = knownMigrations()
  const ran = file.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
  const later = ran.filter((migration) => !known.has(migration))
  if (later.length > 0) throw new OperatorError(ofLaterVersion(name, later))
  return { users: file.prepare<[], number>('select count(*) from users').pluck().get() ?? 0 }
}

/** Checks the whole database file at `path`, which no process uses. Throws an error for operators that calls it `name`. */
export const checkContents = (path: string, name: string): Contents => {
  try {
    const file = new Sqlite(path, { fileMustExist: true })
    try {
      return { ...readAll(file, name), bytes: statSync(path).size }
    } finally {
      file.close()
    }
  } catch (cause) {
    if (!(cause instanceof Sqlite.SqliteError)) throw cause
    throw new OperatorError(`${name} is not a whole database of Rollcall: ${cause.message}.`, { cause })
  }
}
