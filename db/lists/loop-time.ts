/**
 * Limits the work of all lists together in one turn of the event loop, so that other requests do not wait for it.
 */
export const createLoopTime = (milliseconds: number) => {
  let deadline: number | undefined
  return {
    /** Begins a piece of work. Returns whether there is time for another step; the first piece of a turn may take one. */
    begin(): () => boolean {
      let mayTakeOne = deadline === undefined
      if (mayTakeOne) setImmediate(() => (deadline = undefined))
      const end = (deadline ??= performance.now() + milliseconds)
      return () => {
        const hasTime = mayTakeOne || performance.now() < end
        mayTakeOne = false
        return hasTime
      }
    },
  }
}

export type LoopTime = ReturnType<typeof createLoopTime>
