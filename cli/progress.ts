import { MultiBar, Presets } from 'cli-progress'

/** Interval between two lines when the output is not a terminal. Milliseconds. */
const lineInterval = 5000

/**
 * Shows the progress of a long task on standard error: a bar on a terminal, elsewhere a line from time to time. With `--json`
 * it shows nothing, because on a terminal it would be mixed with the value.
 */
export const createProgress = (what: string, { json = false }: { json?: boolean }) => {
  const bars = new MultiBar(
    {
      stream: process.stderr,
      format: `${what} [{bar}] {percentage} % | {value}/{total} | {eta_formatted} left`,
      hideCursor: false,
      // The command itself handles Ctrl-C.
      gracefulExit: false,
    },
    Presets.legacy,
  )
  const bar = process.stderr.isTTY && !json ? bars.create(1, 0) : undefined
  let last = performance.now()
  let total = 0
  let done = 0

  const update = (count: number): void => {
    done = count
    bar?.update(done)
    if (bar || json || performance.now() - last < lineInterval) return
    last = performance.now()
    process.stderr.write(`${what}: ${done} of ${total}\n`)
  }
  return {
    start: (steps: number): void => {
      total = steps
      bar?.setTotal(total)
    },
    step: (count: number): void => update(done + count),
    /** Writes a line to standard error, above the bar. */
    line: (text: string): void => {
      if (bar) bars.log(`${text}\n`)
      else process.stderr.write(`${text}\n`)
    },
    stop: (): void => {
      if (!bar) return
      // Shows the lines that are not shown yet.
      bars.update()
      bars.stop()
    },
  }
}
