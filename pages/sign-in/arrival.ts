import type { ComponentType } from 'preact'
import type { Operations } from '../../client/index.js'
import { loadGuests } from '../shared/guests.js'

/** Where somebody comes from who has to sign in, and where the browser goes on. */
export interface Arrival {
  /** Below the heading. */
  lead: string
  target: string
  /** Filled in as the name. */
  name: string | undefined
  /** Whether somebody who is signed in has to sign in again. */
  asksAgain: boolean
  /** What somebody who is signed in is asked; absent means nothing. */
  ask?: ComponentType<AskProps>
}

export interface AskProps {
  signedIn: Operations['POST /auth/login']['data']
  /** Goes on, in the place of this page. */
  onDone: (target: string) => void
  /** Shows the form of a sign-in instead. */
  onOther: () => void
}

/** What a guest says about the address: `guests/NAME/pages/sign-in.ts` exports `load`, which resolves to it. */
export type Brought = Arrival | undefined

export let arrival: Arrival | undefined

/** Asks the guests where an application waits for the sign-in: only then. */
export const loadArrival = async (): Promise<void> => {
  if (!new URLSearchParams(location.search).has('interaction')) return
  const brought = await loadGuests<Brought>(import.meta.glob('../../guests/*/pages/sign-in.{ts,tsx}'))
  arrival = brought.find((one) => one !== undefined)
}
