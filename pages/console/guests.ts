import type { Permission } from '../../client/index.js'
import { loadGuests } from '../shared/guests.js'
import type { Room } from './room.js'
import type { Tab } from './user/user-page.js'

/** What a guest brings to the console, in words of the language: `guests/NAME/pages/console.ts` exports `load`, which resolves to it. */
export interface Brought {
  rooms?: Room[]
  /** Further tabs of the page of a user. */
  userTabs?: Tab[]
  /** What its permissions open, and the words for each; `needs` are those of other resources without which one is of no use on the console. */
  permissions?: { resource: string; words: Record<string, string>; needs?: Record<string, Permission[]> }
  /** The words for what its rows of the audit trail say was done, and to what. */
  audit?: { actions: Record<string, string>; kinds: Record<string, string> }
}

/** What all guests bring. */
export let brought: Brought[] = []

export const loadConsoleGuests = async (): Promise<void> => {
  brought = await loadGuests<Brought>(import.meta.glob('../../guests/*/pages/console.{ts,tsx}'))
}
