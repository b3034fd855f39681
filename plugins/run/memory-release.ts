import fp from 'fastify-plugin'

/** Milliseconds over which the utilization of the event loop is measured. */
const interval = 10_000
/** A server with this utilization or more is busy: garbage accumulates. */
const busyUtilization = 0.05
/** A server with this utilization or less is idle: hardly any request meets a pause. */
const idleUtilization = 0.01

/**
 * Returns a function to be called once an interval. It calls `release` in the first idle interval after a busy one. `utilization`
 * returns the event loop utilization since its last call, from 0 to 1. The start of the process counts as busy.
 */
export const createMemoryRelease = (utilization: () => number, release: () => void) => {
  let wasBusy = true
  return (): void => {
    const current = utilization()
    if (current >= busyUtilization) wasBusy = true
    else if (wasBusy && current <= idleUtilization) {
      wasBusy = false
      release()
    }
  }
}

const createUtilization = () => {
  let last = performance.eventLoopUtilization()
  return (): number => {
    const before = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, before).utilization
  }
}

/**
 * Returns unused memory to the operating system when a busy server becomes idle. V8 keeps the memory pages of collected objects for
 * new ones, also when nothing is allocated any more, until such a full collection, which pauses the event loop.
 *
 * Does nothing without the flag `--expose-gc` of Node.js. In servers only, because commands end within seconds.
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
    const timer = setInterval(createMemoryRelease(createUtilization(), release), interval)
    timer.unref()
    // The start leaves garbage, most of it from the documents.
    app.addHook('onListen', async () => release())
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'run/memory-release' },
)
