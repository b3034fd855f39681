/** The clock of the whole service. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** The system clock. */
export const machineClock: Clock = { now: Date.now }
