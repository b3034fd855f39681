/** Something that whoever runs Rollcall can mend: the message says what, so no stack is shown. */
export class OperatorError extends Error {}

/** Whether the message of an error says what to do: an error of the system (no such file, a full disk) does, too. */
export const isExpected = (error: unknown): boolean =>
  error instanceof OperatorError || (error instanceof Error && 'syscall' in error)

/** Ends the process with a message that a person can act on. */
export const fail = (error: unknown): void => {
  process.stderr.write(`${isExpected(error) ? (error as Error).message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
