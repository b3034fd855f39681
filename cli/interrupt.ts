import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs `work`. Ctrl-C or SIGTERM aborts its `signal`, so that it can finish properly, and sets the exit code. Resolves to
 * whether it was interrupted.
 */
export const interruptible = async (work: (signal: AbortSignal) => Promise<void>): Promise<boolean> => {
  const controller = new AbortController()
  // Ctrl-C may arrive twice, from the terminal and from npm: the second must not cut the end short.
  const abort = (signal: NodeJS.Signals) => {
    process.exitCode = 128 + constants.signals[signal]
    controller.abort()
  }
  for (const signal of signals) process.on(signal, abort)
  try {
    await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, abort)
  }
  return controller.signal.aborted
}
