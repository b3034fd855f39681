/** A clock that stands still until a test moves it. */
export const createClock = (start = Date.UTC(2026, 5, 1, 8)) => {
  let time = start
  return {
    now: () => time,
    /** Moves by so many seconds. */
    advance(seconds: number) {
      time += seconds * 1000
    },
  }
}

export type TestClock = ReturnType<typeof createClock>
