import type { ComponentType } from 'preact'
import type { Me } from '../shared/session/entered.js'
import { loadGuests } from '../shared/guests.js'

/** What a guest brings to the account page, in words of the language: `guests/NAME/pages/account.ts` exports `load`, which resolves to it. */
export interface Brought {
  rooms: { path: string; text: string; component: ComponentType; isFor?: (me: Me) => boolean }[]
}

/** What all guests bring. */
export let brought: Brought[] = []

export const loadAccountGuests = async (): Promise<void> => {
  brought = await loadGuests<Brought>(import.meta.glob('../../guests/*/pages/account.{ts,tsx}'))
}
