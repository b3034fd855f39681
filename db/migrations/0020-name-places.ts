import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'
import type { ReportProgress } from '../progress.js'

/** The index of names with the places of its parts: it tells which names contain a text, so that no name has to be read and compared.
 * Apart from 0014, with which version 0.2.0 was released: that index has no places. */
export const namePlaces = (schema: EngineSchema, progress: ReportProgress): Migration => ({
  up: (db) => schema.addPlacesToNameIndex(db, progress),
})
