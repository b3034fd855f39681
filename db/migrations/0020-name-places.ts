import type { Migration } from 'kysely/migration'
import type { EngineSchema, ReportProgress } from '../engine.js'

/** The index of names with the places of its parts: it tells which names contain a text, so that no name has to be read and compared. */
export const namePlaces = (schema: EngineSchema, progress: ReportProgress): Migration => ({
  up: (db) => schema.addPlacesToNameIndex(db, progress),
})
