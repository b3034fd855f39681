import { setPriority } from 'node:os'

/** Requests that need nothing of it come first; but a machine that is busy with other things still gets it done. */
const niceness = 5

/** Lets the event loop go first. For threads: on Linux this is the priority of the thread, elsewhere of the whole process. */
export const lowerPriority = (): void => {
  try {
    if (process.platform === 'linux') setPriority(0, niceness)
  } catch {
    // Where the system does not let anybody choose, the thread competes with everything else.
  }
}
