const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2', 'SIGTERM'] as const

/**
 * Ends the process after `close` when a signal comes, with exit code 0, and with 1 after an uncaught error or when `close` fails. Ends it at
 * once, with 1, after a second signal or error, and when `close` takes longer than `delay` milliseconds. Returns what begins it.
 */
export const endGracefully = (delay: number, close: (error?: unknown) => Promise<void>): (() => void) => {
  let isEnding = false
  const end = async (error?: unknown): Promise<void> => {
    isEnding = true
    setTimeout(() => process.exit(1), delay)
    try {
      await close(error)
      process.exit(error === undefined ? 0 : 1)
    } catch {
      process.exit(1)
    }
  }
  const begin = (error?: unknown) => (isEnding ? process.exit(1) : void end(error))
  for (const signal of signals) process.on(signal, () => begin())
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => begin(error ?? event))
  process.once('beforeExit', () => begin())
  return () => {
    if (!isEnding) void end()
  }
}
