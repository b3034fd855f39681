/** The clock of the whole service. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** For so long nobody doubts the clock when nothing has happened: a machine is off over a long weekend. Milliseconds. */
export const maxQuiet = 5 * 24 * 3600 * 1000

/** The system clock. */
export const machineClock: Clock = { now: Date.now }
