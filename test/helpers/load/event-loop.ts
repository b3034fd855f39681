import { readFileSync } from 'node:fs'

/** The main thread, as Linux accounts for it: nanoseconds on a core, nanoseconds ready and without one, turns. */
const account = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds that the main thread has been ready to run while others had the cores; elsewhere than on Linux 0. */
export const withoutCore = (): number => {
  try {
    return Number(readFileSync(account, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/**
 * Watches the event loop until the returned function is called, which gives the longest time that one turn held it, in
 * milliseconds. What other processes took meanwhile is no fault of the turn and is left out.
 */
export const watchEventLoop = (): (() => number) => {
  let longest = 0
  let before = { time: performance.now(), lost: withoutCore() }
  const turn = () => {
    const now = { time: performance.now(), lost: withoutCore() }
    longest = Math.max(longest, now.time - before.time - (now.lost - before.lost))
    before = now
  }
  const timer = setInterval(turn, 1)
  return () => {
    clearInterval(timer)
    turn()
    return longest
  }
}
