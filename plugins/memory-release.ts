import fp from 'fastify-plugin'

/** Milliseconds between two looks at the load. */
const interval = 10_000
/** Shares of its time for which the event loop works: from the first on it is busy, up to the second it is idle. */
const busy = 0.05
const idle = 0.01

/**
 * Returns a function that is called regularly and calls `release` when the event loop is idle after it was busy. `share` returns the
 * share of the time since its last call for which the event loop has worked. A process that has just started was busy.
 */
export const createMemoryRelease = (share: () => number, release: () => void) => {
  let wasBusy = true
  return (): void => {
    const worked = share()
    if (worked >= busy) wasBusy = true
    else if (wasBusy && worked <= idle) {
      wasBusy = false
      release()
    }
  }
}

const createShare = () => {
  let last = performance.eventLoopUtilization()
  return (): number => {
    const before = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, before).utilization
  }
}

/**
 * Gives memory back to the system when requests become few. V8 keeps the pages that garbage has left, and does so even while nothing is
 * allocated any more. Collecting all garbage holds the event loop for a moment, which must not happen between many requests.
 *
 * Needs the flag `--expose-gc`. In servers only, because commands end within seconds.
 */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    const collect = globalThis.gc
    if (!answering || !collect) return
    const release = () => {
      const start = performance.now()
      collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
      app.log.debug({ milliseconds: Math.round(performance.now() - start) }, 'unused memory released')
    }
    const timer = setInterval(createMemoryRelease(createShare(), release), interval)
    timer.unref()
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'memory-release' },
)
