import type { Migration } from 'kysely/migration'
import type { EngineSchema, ReportProgress } from '../engine.js'

/** With their places, the parts of names tell by themselves which names contain a text: no name has to be read and compared. */
export const namePlaces = (schema: EngineSchema, progress: ReportProgress): Migration => ({
  up: (db) => schema.addPlacesToNameIndex(db, progress),
})
