import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'
import type { ReportProgress } from '../progress.js'

/** The index of names with the places of its parts: it tells which names contain a text, so that no name has to be read and compared. */
export const namePlaces = (schema: EngineSchema, progress: ReportProgress): Migration => ({
  up: (db) => schema.addPlacesToNameIndex(db, progress),
})
