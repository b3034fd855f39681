import { MultiBar, Presets } from 'cli-progress'

/** Between two lines where nobody watches. Milliseconds. */
const lineInterval = 5000

/**
 * Shows on standard error how far something long has come: a bar on a terminal, elsewhere a line now and then. With
 * `--json` nothing: on a terminal it would stand amid the value.
 */
export const createProgress = (what: string, { json = false }: { json?: boolean }) => {
  const bars = new MultiBar(
    {
      stream: process.stderr,
      format: `${what} [{bar}] {percentage} % | {value}/{total} | {eta_formatted} left`,
      hideCursor: false,
      // The command itself ends in good order at Ctrl-C.
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
      // The lines that have not been shown yet.
      bars.update()
      bars.stop()
    },
  }
}
