/** A fault that the operator can correct. The message says how, so no stack is shown. */
export class OperatorError extends Error {}

/** Whether the message of an error is enough for the operator. It is for errors of the system, such as a full disk, too. */
export const isExpected = (error: unknown): boolean =>
  error instanceof OperatorError || (error instanceof Error && 'syscall' in error)

/** Prints an error on standard error, without a stack if the message is enough, and sets exit code 1. */
export const fail = (error: unknown): void => {
  process.stderr.write(`${isExpected(error) ? (error as Error).message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
