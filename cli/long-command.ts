import type { ReportProgress } from '../db/progress.js'
import { report } from './context.js'
import { interruptible } from './interrupt.js'
import { createProgress } from './progress.js'

/** Shows the progress of one task after the other. */
export const createProgressReport = (options: { json?: boolean }) => {
  let bar: ReturnType<typeof createProgress> | undefined
  let task: string | undefined
  let shown = 0
  const stop = () => bar?.stop()
  const progress: ReportProgress = (what, done, total) => {
    if (what !== task) {
      stop()
      bar = createProgress(what, options)
      task = what
      shown = 0
    }
    bar?.start(total)
    bar?.step(done - shown)
    shown = done
  }
  return { progress, stop }
}

/**
 * Runs `work`, which changes nothing when its signal is aborted, with a progress bar. Resolves to undefined when it was
 * interrupted, after `nothingDone` has been printed.
 */
export const runLong = async <T>(
  options: { json?: boolean },
  nothingDone: string,
  work: (task: { signal: AbortSignal; progress: ReportProgress }) => Promise<T>,
): Promise<T | undefined> => {
  const { progress, stop } = createProgressReport(options)
  let result: T | undefined
  try {
    const interrupted = await interruptible(async (signal) => {
      result = await work({ signal, progress }).catch((error: unknown) => {
        if (!signal.aborted) throw error
        return undefined
      })
    })
    if (interrupted && result === undefined) report(options, { interrupted }, `Interrupted. ${nothingDone}`)
  } finally {
    stop()
  }
  return result
}
