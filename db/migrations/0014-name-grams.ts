import type { Migration } from 'kysely/migration'
import type { EngineSchema, ReportProgress } from '../engine.js'

/** An index of parts of names: the cost of a search grows with its results, not with the number of users. */
export const nameGrams = (schema: EngineSchema, progress: ReportProgress): Migration => ({
  up: (db) => schema.createNameIndex(db, progress),
})
