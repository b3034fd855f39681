/** Interval between two lines when the output is not a terminal. Milliseconds. */
const lineInterval = 5000
/** The same for the bar of a terminal. */
const barInterval = 100
const barLength = 40
const eraseLine = '\r\x1b[K'

const toDuration = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return '?'
  return seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

/**
 * Shows the progress of a long task on standard error: a bar on a terminal, elsewhere a line from time to time. With `--json`
 * it shows nothing, because on a terminal it would be mixed with the value.
 */
export const createProgress = (what: string, { json = false }: { json?: boolean }) => {
  const { stderr } = process
  const isBar = stderr.isTTY && !json
  const begin = performance.now()
  let last = isBar ? -Infinity : begin
  let total = 0
  let done = 0

  const draw = (): void => {
    const part = total === 0 ? 0 : Math.min(1, done / total)
    const bar = '='.repeat(Math.round(part * barLength)).padEnd(barLength, '-')
    const left = toDuration(((performance.now() - begin) / 1000 / done) * (total - done))
    const text = `${what} [${bar}] ${Math.floor(part * 100)} % | ${done}/${total} | ${left} left`
    // A line that is longer than the terminal could not be erased.
    stderr.write(eraseLine + text.slice(0, (stderr.columns || 80) - 1))
  }

  const update = (count: number): void => {
    done = count
    if (json || performance.now() - last < (isBar ? barInterval : lineInterval)) return
    last = performance.now()
    if (isBar) draw()
    else stderr.write(`${what}: ${done} of ${total}\n`)
  }
  return {
    start: (steps: number): void => {
      total = steps
    },
    step: (count: number): void => update(done + count),
    /** Writes a line to standard error, above the bar. */
    line: (text: string): void => {
      stderr.write(`${isBar ? eraseLine : ''}${text}\n`)
      if (isBar) draw()
    },
    stop: (): void => {
      if (!isBar) return
      draw()
      stderr.write('\n')
    },
  }
}
