import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommanderError, type Command } from 'commander'
import { OperatorError } from '../lib/operator-error.js'

/** The person at the terminal has pressed Ctrl-C or Ctrl-D. */
export class InterruptedError extends Error {}

export const usage = (message: string) => new CommanderError(2, 'rollcall.usage', `error: ${message}`)

/** Asks on standard error, because standard output is for the result of the command. What is typed is shown only if it is no secret. */
export const ask = async (question: string, { isSecret }: { isSecret: boolean }): Promise<string> => {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? hidden : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const answer = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    // Ctrl-C and Ctrl-D close it.
    lines.once('close', () => reject(new InterruptedError('Interrupted.')))
  })
  if (isSecret) process.stderr.write(`${question}: `)
  else {
    lines.setPrompt(`${question}: `)
    lines.prompt()
  }
  return answer.finally(() => {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  })
}

/** The option of a command that destroys something, see `destroys`. */
export interface YesOption {
  yes?: boolean
}

/** For a command that destroys something: it calls `confirm`. Without a terminal it is refused unless `--yes` is given. */
export const destroys = (command: Command): Command =>
  command.option('--yes', 'do not ask; needed without a terminal').hook('preAction', () => {
    if (command.getOptionValue('yes') === undefined && !process.stdin.isTTY) {
      throw usage('without a terminal, confirm it by --yes')
    }
  })

/** Asks whether to go on, unless `--yes` is given. Throws when the answer is not yes. */
export const confirm = async ({ yes = false }: YesOption, question: string): Promise<void> => {
  if (yes) return
  const answer = await ask(`${question} [y/N]`, { isSecret: false })
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new OperatorError('Nothing has been changed.')
}
