import { CommanderError } from 'commander'
import { isProblem } from '../lib/problem.js'
import { isExpected } from '../lib/operator-error.js'
import { toViolations } from '../lib/violations.js'
import type { Violation } from '../schemas/envelope.js'
import { InterruptedError } from './password-input.js'

/** Why a command failed, for `--json`. `reason` is stable. */
interface Failure {
  reason: string
  message: string
  violations?: Violation[]
  /** Only of unexpected errors. */
  stack?: string | undefined
}

const interrupted = 130

/** Prints on standard error why a command failed, with `--json` as one JSON value, and sets the exit code. */
export const createFailureReport = (isJson: boolean) => {
  const say = (exitCode: number, failure: Failure, text: string): void => {
    process.exitCode = exitCode
    process.stderr.write(`${isJson ? JSON.stringify({ error: failure }) : text}\n`)
  }

  const reportUsage = (error: CommanderError): void => {
    process.exitCode = error.exitCode === 0 ? 0 : 2
    // Without `--json`, commander has already printed its own messages, but not those of ours.
    if (process.exitCode === 0 || (!isJson && error.code !== 'rollcall.usage')) return
    const message = error.code === 'commander.help' ? 'error: a command is missing' : error.message
    say(2, { reason: 'wrong_command_line', message: message.replace(/^error: /, '') }, message)
  }

  return (error: unknown): void => {
    if (error instanceof CommanderError) reportUsage(error)
    else if (isProblem(error)) {
      const violations = toViolations(error.details.faults ?? [], 'en')
      const lines = violations.map(({ field, message }) => `error: ${field} ${message}`)
      const text = lines.length > 0 ? lines.join('\n') : `error: ${error.message}`
      say(1, { reason: error.code, message: error.message, violations }, text)
    } else {
      const { message, stack } = error as Error
      if (error instanceof InterruptedError) say(interrupted, { reason: 'interrupted', message }, message)
      else if (isExpected(error)) say(1, { reason: 'failed', message }, message)
      else say(1, { reason: 'internal_error', message, stack }, String(stack))
    }
  }
}
