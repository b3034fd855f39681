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

/** Asks on standard error, because standard output is for the result of the command. Rejects at Ctrl-C and Ctrl-D. */
const ask = async (message: string, isValid?: ReturnType<typeof validate>): Promise<string> => {
  const { default: askPassword } = await import('@inquirer/password')
  const closed = new AbortController()
  // At Ctrl-D the library closes standard input and never settles its promise.
  const close = () => closed.abort()
  process.stdin.once('pause', close)
  try {
    const question = { message, mask: true, ...(isValid ? { validate: isValid } : {}) }
    return await askPassword(question, { output: process.stderr, signal: closed.signal })
  } finally {
    process.stdin.off('pause', close)
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
  const password = await ask('New password', validate(check))
  if (password !== (await ask('Once more'))) throw usage('the two passwords differ')
  return password
}
