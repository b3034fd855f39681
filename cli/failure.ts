import { CommanderError, type Command } from 'commander'
import { isProblem } from '../lib/problem.js'
import { isExpected } from '../lib/operator-error.js'
import { toPrintableJson } from '../lib/one-line.js'
import { toViolations } from '../lib/violations.js'
import type { Violation } from '../schemas/envelope.js'
import { InterruptedError } from './prompt.js'

/** Why a command failed, for `--json`. `reason` is stable. */
interface Failure {
  reason: string
  message: string
  violations?: Violation[]
  /** Only of unexpected errors. */
  stack?: string | undefined
}

const interrupted = 130

/** Fields of requests that have another name on the command line. */
const names: Record<string, string> = {
  role: 'key',
  session: 'id',
  identity: 'id',
  tenant: 'id|name',
  name: 'new name',
  timeFrom: 'since',
  timeTo: 'until',
}

/** What the command line gives for a field of a request, such as `permissions.0`. No secret is ever an argument. */
const valueOf = (command: Command | undefined, field: string): unknown => {
  const [name = '', index] = field.split('.')
  const { registeredArguments = [], processedArgs = [] } = command ?? {}
  const given = {
    ...command?.opts<Record<string, unknown>>(),
    ...Object.fromEntries(registeredArguments.map((argument, place) => [argument.name(), processedArgs[place]])),
  }
  const value: unknown = given[name] ?? given[names[name] ?? '']
  if (!Array.isArray(value)) return value
  return value[index === undefined && value.length === 1 ? 0 : Number(index)]
}

const maxQuoted = 100
const quote = (value: string): string =>
  toPrintableJson(value.length > maxQuoted ? `${value.slice(0, maxQuoted)}…` : value)

/** A line for a fault, with the value that is wrong unless the message says it. */
const toLine = (command: Command | undefined, { field, message }: Violation): string => {
  const value = valueOf(command, field)
  const isTold = (typeof value !== 'string' && typeof value !== 'number') || message.includes(String(value))
  const option = command?.getOptionValue(names[field] ?? '') === undefined ? field : `--${names[field]}`
  return ['error:', option, ...(isTold ? [] : [quote(String(value))]), message].join(' ')
}

/** Prints on standard error why a command failed, with `--json` as one JSON value, and sets the exit code. `findCommand` is the command that was run. */
export const createFailureReport = (isJson: boolean, findCommand: () => Command | undefined) => {
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
      const lines = violations.map((violation) => toLine(findCommand(), violation))
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
