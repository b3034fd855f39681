/** The clock of the whole service. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since an arbitrary moment, which do not jump when `now` does. Absent means that `now` never jumps. */
  monotonic?(): number
}

/** The system clock. */
export const machineClock: Clock = { now: Date.now, monotonic: () => performance.now() }
