import { text } from 'node:stream/consumers'
import { isProblem } from '../lib/problem.js'
import { readSecretText } from '../lib/secret-text.js'
import { toViolations } from '../lib/violations.js'
import { ask, usage } from './prompt.js'

/** After so many different pairs of passwords, whoever types gets the time to think. */
const maxPairs = 3

/** Throws a problem if a password is not accepted. */
type Check = (password: string) => void

/** Why a password is not accepted; undefined if it is accepted. */
const findFault = (password: string, check: Check): string | undefined => {
  try {
    check(password)
    return undefined
  } catch (error) {
    if (!isProblem(error)) throw error
    const [violation] = toViolations(error.details.faults ?? [], 'en')
    return `The password ${violation?.message ?? 'is not accepted'}.`
  }
}

const askUntilAccepted = async (question: string, check: Check): Promise<string> => {
  for (;;) {
    const password = await ask(question, { isSecret: true })
    const fault = findFault(password, check)
    if (fault === undefined) return password
    process.stderr.write(`${fault}\n`)
  }
}

/**
 * Reads a new password. With `--password-stdin` it is all of standard input without line breaks at the end. Otherwise it is
 * asked for on standard error until `check` accepts it, and then once more; if the two differ, again.
 */
export const readNewPassword = async (options: { passwordStdin?: boolean }, check: Check): Promise<string> => {
  if (options.passwordStdin) {
    const password = readSecretText(await text(process.stdin))
    if (password === '') throw usage('standard input is empty; it must contain the password')
    return password
  }
  if (!process.stdin.isTTY) throw usage('without a terminal, give the password by --password-stdin')
  for (let pairs = 1; ; pairs++) {
    const password = await askUntilAccepted('New password', check)
    if (password === (await ask('Once more', { isSecret: true }))) return password
    if (pairs === maxPairs) throw usage('the two passwords differ')
    process.stderr.write('The two passwords differ. Please type them again.\n')
  }
}
