/** The one clock; tests bring their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since any moment, which go on evenly when `now` jumps; absent means that `now` never jumps. */
  monotonic?(): number
}

/** The clock of the machine. */
export const machineClock: Clock = { now: Date.now, monotonic: () => performance.now() }
