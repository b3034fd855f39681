import { setTimeout } from 'node:timers/promises'

interface Repetition {
  /** Milliseconds from the end of one run to the next; a function is asked after each run. */
  pause: number | (() => number)
  /** Absent means that the first run begins after the first pause. */
  beginsAtOnce?: boolean
  /** Hears why a run has failed; the next one comes all the same. */
  failed?: (error: unknown) => void
}

/**
 * Runs `work` again and again, never twice at the same time. `close` ends that and waits for the run that is under way, which hears of
 * it by `signal`. It keeps no process alive.
 */
export const repeat = (
  work: (signal: AbortSignal) => unknown,
  { pause, beginsAtOnce = false, failed = () => undefined }: Repetition,
): { close: () => Promise<void> } => {
  const closing = new AbortController()
  const { signal } = closing
  const isClosed = () => signal.aborted
  const wait = async (): Promise<void> => {
    const time = typeof pause === 'number' ? pause : pause()
    // Rejected when it is closed.
    await setTimeout(time, undefined, { ref: false, signal }).catch(() => undefined)
  }
  const run = async (): Promise<void> => {
    if (!beginsAtOnce) await wait()
    while (!isClosed()) {
      try {
        await work(signal)
      } catch (error) {
        if (!isClosed()) failed(error)
      }
      await wait()
    }
  }
  const running = run()
  return {
    async close(): Promise<void> {
      closing.abort()
      await running
    },
  }
}
