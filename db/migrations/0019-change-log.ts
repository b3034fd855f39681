import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

/** A log of changes that other processes have made, which keeps what a process remembers up to date. */
export const changeLog = (schema: EngineSchema): Migration => ({ up: (db) => schema.createChangeLog(db) })
