import type { Engine } from './port.js'
import { guestTables } from './guest-tables.js'
import { guestOfMigrationTable, migrationTablesOf } from './migrate.js'

export interface GoneGuest {
  guest: string
  /** Its tables, without those in which Kysely remembers its migrations. */
  tables: string[]
}

/** Guests whose tables are in the database, and which this version does not have. Nothing reads or changes these tables. */
export const findGoneGuests = async (engine: Pick<Engine, 'tableNames'>): Promise<GoneGuest[]> => {
  const names = await engine.tableNames()
  const guests = names.map(guestOfMigrationTable).filter((guest) => guest !== undefined)
  return guests
    .filter((guest) => !guestTables.has(guest))
    .map((guest) => ({
      guest,
      tables: names.filter((name) => name.startsWith(`${guest}_`) && !migrationTablesOf(guest).includes(name)),
    }))
}
