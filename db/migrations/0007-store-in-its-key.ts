import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../engine.js'

export const storeInItsKey = (schema: EngineSchema): Migration => ({ up: (db) => schema.clusterStore(db) })
