import type { Migration } from 'kysely/migration'
import type { EngineSchema } from './port.js'
import type { ReportProgress } from './progress.js'
import { addRepositories, type CreateRepository } from './repositories/index.js'
import { onSessionEnd, type OnSessionEnd } from './repositories/sessions.js'
import { addKept, keptTables, type KeptOfGuest } from './repositories/kept.js'

/** What a guest keeps in the database. Names of its tables begin with its name and `_`. */
export interface GuestTables {
  /** By name: they run in this order, after those of the house, and are remembered in a table of their own. */
  migrations: (schema: EngineSchema, progress: ReportProgress) => Record<string, Migration>
  keeps: Record<string, KeptOfGuest>
  repositories: Record<string, CreateRepository>
  onSessionEnd?: OnSessionEnd
}

type Load = () => Promise<GuestTables>

const waiting = new Map<string, Load>()
const loaded = new Map<string, GuestTables>()

/** Adds what a guest keeps, which is loaded when a database is opened. */
export const addTables = (guest: string, load: Load): void => {
  waiting.set(guest, load)
}

/** Adds the tables and repositories of all guests to those of the house. To be called before a database is used. */
export const loadGuestTables = async (): Promise<void> => {
  const found = await Promise.all([...waiting].map(async ([guest, load]) => [guest, await load()] as const))
  for (const [guest, tables] of found) {
    // Somebody else may have been faster.
    if (!waiting.delete(guest)) continue
    const isOwn = ({ name }: { name: string }) => name.startsWith(`${guest}_`)
    const others = Object.keys(tables.keeps).filter((name) => !isOwn({ name }))
    if (!/^[a-z]+$/.test(guest) || others.length > 0 || keptTables.some(isOwn))
      throw new Error(`Tables of the guest ${guest} begin with ${guest}_, and no other tables do`)
    addKept(tables.keeps)
    addRepositories(tables.repositories)
    if (tables.onSessionEnd) onSessionEnd(tables.onSessionEnd)
    loaded.set(guest, tables)
  }
}

/** Guests that have tables, by their names. */
export const guestTables: ReadonlyMap<string, GuestTables> = loaded
