import { MultiBar, Presets } from 'cli-progress'

/** Shows on standard error how far something long has come, where a person looks at it; nothing elsewhere. */
export const createProgress = (what: string) => {
  const bars = new MultiBar(
    {
      stream: process.stderr,
      format: `${what} [{bar}] {percentage} % | {value}/{total} | {eta_formatted} left`,
      hideCursor: false,
      // Ctrl-C ends the program, not only the bar.
      gracefulExit: false,
    },
    Presets.legacy,
  )
  const bar = process.stderr.isTTY ? bars.create(1, 0) : undefined
  return {
    start: (total: number) => bar?.setTotal(total),
    step: (count: number) => bar?.increment(count),
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
