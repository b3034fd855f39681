import { text } from 'node:stream/consumers'
import { CommanderError } from 'commander'

const usage = (message: string) => new CommanderError(2, 'rollcall.usage', `error: ${message}`)

/**
 * Reads a new password: all of standard input but its last line break with `--password-stdin`, otherwise from a
 * prompt, twice.
 */
export const readNewPassword = async (options: { passwordStdin?: boolean }): Promise<string> => {
  if (options.passwordStdin) {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '')
    if (password === '') throw usage('standard input held no password')
    return password
  }
  if (!process.stdin.isTTY) throw usage('without a terminal, give the password by --password-stdin')
  const { default: ask } = await import('@inquirer/password')
  const password = await ask({ message: 'New password', mask: true })
  if (password !== (await ask({ message: 'Once more', mask: true }))) throw usage('the two passwords differ')
  return password
}
