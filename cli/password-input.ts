import { text } from 'node:stream/consumers'
import { CommanderError } from 'commander'
import { isProblem } from '../lib/problem.js'
import { toViolations } from '../lib/violations.js'

const usage = (message: string) => new CommanderError(2, 'rollcall.usage', `error: ${message}`)

/** What is wrong with a password, in words; true when nothing is. */
const validate = (check: (password: string) => void) => (password: string) => {
  try {
    check(password)
    return true
  } catch (error) {
    if (!isProblem(error)) throw error
    const [violation] = toViolations(error.details.faults ?? [], 'en')
    return `The password ${violation?.message ?? 'is not accepted'}.`
  }
}

/**
 * Reads a new password: all of standard input but its last line break with `--password-stdin`, otherwise from a
 * prompt on standard error, twice once `check` does not throw.
 */
export const readNewPassword = async (
  options: { passwordStdin?: boolean },
  check: (password: string) => void,
): Promise<string> => {
  if (options.passwordStdin) {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '')
    if (password === '') throw usage('standard input held no password')
    return password
  }
  if (!process.stdin.isTTY) throw usage('without a terminal, give the password by --password-stdin')
  const { default: ask } = await import('@inquirer/password')
  // Standard output is for what comes of the command.
  const context = { output: process.stderr }
  const password = await ask({ message: 'New password', mask: true, validate: validate(check) }, context)
  if (password !== (await ask({ message: 'Once more', mask: true }, context))) throw usage('the two passwords differ')
  return password
}
