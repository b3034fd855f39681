import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../engine.js'

/** A short log of who has changed, which keeps the lists of the user list up to date (see db/user-list/README.md). */
export const userChanges = (schema: EngineSchema): Migration => ({ up: (db) => schema.createUserChanges(db) })
