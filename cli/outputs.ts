import { OperatorError } from '../lib/operator-error.js'

/**
 * Lets the process go on when its outputs cannot be written, such as on a full disk or after its terminal was closed. `report` is called
 * the first time that standard output fails.
 */
export const guardOutputs = (report: (error: Error) => void): void => {
  // There is no place left to say it.
  process.stderr.on('error', () => undefined)
  let isTold = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the output early, which is not an error.
    if (isTold || error.code === 'EPIPE') return
    isTold = true
    report(new OperatorError(`Standard output cannot be written: ${error.message}.`))
  })
}
