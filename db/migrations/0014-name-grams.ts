import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'
import type { ReportProgress } from '../progress.js'

/** An index of parts of names: the cost of a search grows with its results, not with the number of users. */
export const nameGrams = (schema: EngineSchema, progress: ReportProgress): Migration => ({
  up: (db) => schema.createNameIndex(db, progress),
})
