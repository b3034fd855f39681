import type { Installed } from './installed.js'

/** What a part has to work with. */
export interface Bench extends Installed {
  /** Users in the database. */
  users: number
  /** Whether no measurement with more users follows: what is asked of a list is asked of a long one. */
  isLargest: boolean
  /** Seconds of one measurement. */
  seconds: number
}

/** One line of the table of a part. */
export interface Figure {
  name: string
  /** Values by what they are; `ratio` is Rollcall beside its limit. */
  values: Record<string, number>
  /** What the design asks of one of the values. */
  target?: { value: string; atLeast?: number; atMost?: number }
}

export interface Part {
  description: string
  /** Measured at each number of users, and not at the largest only. */
  everySize: boolean
  /** Servers, hashes and load share all cores; otherwise the servers have one and the load another. */
  sharesCores?: boolean
  run: (bench: Bench) => Promise<Figure[]>
}

/** Whether a figure is what the design asks for; undefined when it asks for nothing. */
export const isMet = ({ values, target }: Figure): boolean | undefined => {
  if (!target) return undefined
  const value = values[target.value] ?? NaN
  return value >= (target.atLeast ?? -Infinity) && value <= (target.atMost ?? Infinity)
}

/** No request may hold the event loop for longer. Milliseconds. */
export const longestHold = 20

export const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
