import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cli } from '../helpers/processes/cli.js'

/** Writes the file of an import, text as it is and rows as CSV; returns its path. */
export const writeUsers = ({ directory }: Cli, content: string | Buffer | string[][]): string => {
  const file = join(directory, 'users.csv')
  const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  writeFileSync(file, Array.isArray(content) ? content.map((row) => row.map(quote).join(',')).join('\n') : content)
  return file
}

/** The users in the database, without the first administrator. */
export const usersIn = (cli: Cli) => (cli.content()['users'] as Record<string, unknown>[]).slice(1)
export const namesIn = (cli: Cli) => usersIn(cli).map(({ username }) => username)
