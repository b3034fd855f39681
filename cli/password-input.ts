import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommanderError } from 'commander'
import { isProblem } from '../lib/problem.js'
import { readSecretText } from '../lib/secret-text.js'
import { toViolations } from '../lib/violations.js'

/** The person at the terminal has pressed Ctrl-C or Ctrl-D. */
export class InterruptedError extends Error {}

/** Throws a problem if a password is not accepted. */
type Check = (password: string) => void

const usage = (message: string) => new CommanderError(2, 'rollcall.usage', `error: ${message}`)

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

/** Asks on standard error, because standard output is for the result of the command. What is typed is not shown. */
const ask = async (question: string): Promise<string> => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const answer = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    // Ctrl-C and Ctrl-D close it.
    lines.once('close', () => reject(new InterruptedError('Interrupted.')))
  })
  process.stderr.write(`${question}: `)
  return answer.finally(() => {
    lines.close()
    process.stderr.write('\n')
  })
}

const askUntilAccepted = async (question: string, check: Check): Promise<string> => {
  for (;;) {
    const password = await ask(question)
    const fault = findFault(password, check)
    if (fault === undefined) return password
    process.stderr.write(`${fault}\n`)
  }
}

/**
 * Reads a new password. With `--password-stdin` it is all of standard input without line breaks at the end. Otherwise it is
 * asked for on standard error until `check` accepts it, and then once more.
 */
export const readNewPassword = async (options: { passwordStdin?: boolean }, check: Check): Promise<string> => {
  if (options.passwordStdin) {
    const password = readSecretText(await text(process.stdin))
    if (password === '') throw usage('standard input is empty; it must contain the password')
    return password
  }
  if (!process.stdin.isTTY) throw usage('without a terminal, give the password by --password-stdin')
  const password = await askUntilAccepted('New password', check)
  if (password !== (await ask('Once more'))) throw usage('the two passwords differ')
  return password
}
