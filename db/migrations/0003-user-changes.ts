import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

/** A short log of changed users, which keeps the user list up to date (see db/user-list/README.md). */
export const userChanges = (schema: EngineSchema): Migration => ({ up: (db) => schema.createUserChanges(db) })
