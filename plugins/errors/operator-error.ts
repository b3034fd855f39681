/** Something that whoever runs Rollcall can mend: the message says what, so no stack is shown. */
export class OperatorError extends Error {}

/** Ends the process with a message that a person can act on. */
export const fail = (error: unknown): void => {
  // An error of the system (a file that is not there, a full disk) says what is wrong, too.
  const isExpected = error instanceof OperatorError || (error instanceof Error && 'syscall' in error)
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
