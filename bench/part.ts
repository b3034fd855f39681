import type { Installed } from './installed.js'

/** What a part gets. */
export interface Bench extends Installed {
  /** Users in the database. */
  users: number
  /** Whether no measurement with more users follows: targets of lists hold for the largest number of users. */
  isLargest: boolean
  /** Seconds of one measurement. */
  seconds: number
}

/** One line of the table of a part. */
export interface Figure {
  name: string
  /** Values by name; `ratio` is Rollcall divided by the bare server. */
  values: Record<string, number>
  /** The target of one of the values. */
  target?: { value: string; atLeast?: number; atMost?: number }
}

export interface Part {
  description: string
  /** Measured at each number of users, and not at the largest only. */
  everySize: boolean
  /** Whether servers, hashes and load share all cores. Otherwise the servers have one core and the load another. */
  sharesCores?: boolean
  run: (bench: Bench) => Promise<Figure[]>
}

/** Whether a figure meets its target; undefined without a target. */
export const isMet = ({ values, target }: Figure): boolean | undefined => {
  if (!target) return undefined
  const value = values[target.value] ?? NaN
  return value >= (target.atLeast ?? -Infinity) && value <= (target.atMost ?? Infinity)
}

/** The longest time for which one request may hold the event loop. Milliseconds. */
export const maxHold = 20

export const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
