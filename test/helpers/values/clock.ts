/** A clock that stands still until a test moves it. */
export const createClock = (start = Date.UTC(2026, 5, 1, 8)) => {
  let time = start
  let elapsed = 0
  return {
    now: () => time,
    monotonic: () => elapsed,
    /** Moves on by so many seconds. */
    advance(seconds: number) {
      time += seconds * 1000
      elapsed += seconds * 1000
    },
    /** Moves by so many seconds that have not passed. */
    jump(seconds: number) {
      time += seconds * 1000
    },
  }
}

export type TestClock = ReturnType<typeof createClock>
