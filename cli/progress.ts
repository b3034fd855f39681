import { SingleBar } from 'cli-progress'

/** Between two lines where nobody watches. Milliseconds. */
const lineInterval = 5000

/** Shows on standard error how far a long command is: a bar on a terminal, elsewhere a line now and then. */
export const startProgress = (what: string, total: number) => {
  if (process.stderr.isTTY) {
    const bar = new SingleBar({
      stream: process.stderr,
      format: `${what} {bar} {percentage}% | {value} of {total} | {eta_formatted} left`,
      // The command itself ends in good order at Ctrl-C.
      gracefulExit: false,
    })
    bar.start(total, 0)
    return {
      update: (done: number) => bar.update(done),
      stop: () => bar.stop(),
    }
  }
  let last = performance.now()
  return {
    update(done: number) {
      if (performance.now() - last < lineInterval) return
      last = performance.now()
      process.stderr.write(`${what}: ${done} of ${total}\n`)
    },
    stop: () => undefined,
  }
}
