import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

export const storeInItsKey = (schema: EngineSchema): Migration => ({ up: (db) => schema.clusterStore(db) })
