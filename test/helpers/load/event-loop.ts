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

/** A piece of work as servers do it, and the milliseconds that it takes on the machine for which the limits are written. */
const rows = Array.from({ length: 5000 }, (_, id) => ({ id, username: `user${id}`, isActive: true }))
const work = () => JSON.parse(JSON.stringify(rows)) as unknown
const workTakes = 1.5

/** How many times as long this machine needs now; at least 1. */
const slowness = (): number => {
  let shortest = Infinity
  for (let time = 0; time < 10; time++) {
    const start = performance.now()
    work()
    shortest = Math.min(shortest, performance.now() - start)
  }
  return Math.max(1, shortest / workTakes)
}

/**
 * Watches the event loop until the returned function is called, which gives the longest time that one turn held it, in
 * milliseconds. What other processes took meanwhile is no fault of the turn and is left out, and what a slower machine
 * takes longer, too.
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
    return longest / slowness()
  }
}
