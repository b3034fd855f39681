import { setPriority } from 'node:os'

/** Low enough that other requests come first, high enough that the thread makes progress on a busy machine. */
const niceness = 5

/** Gives a worker thread a lower priority than the event loop. Only on Linux: elsewhere it would apply to the whole process. */
export const lowerPriority = (): void => {
  try {
    if (process.platform === 'linux') setPriority(0, niceness)
  } catch {
    // Some systems forbid this. The thread then competes with all others.
  }
}
