import type { Test } from 'tap'
import { databaseContent, emptyDirectory, installedDirectory, type Outcome } from './child.js'
import { runCommand } from './command.js'

export interface RunOptions {
  /** All of standard input. */
  input?: string
  /** As if somebody sat at a terminal, who types such keys once such a text is shown. */
  typed?: [shown: string, keys: string][]
  environment?: Record<string, string>
}

/** What a command shows that takes longer than five seconds, as on a slow machine. */
const progress = /^\w[\w ]*: \d+ of \d+\n/gm

/** Runs `rollcall` in a data directory of its own: an installed one, or with `installed: false` one that is not there. */
export const createCli = async (t: Test, { installed = true } = {}) => {
  const directory = installed ? await installedDirectory(t) : emptyDirectory(t)

  /** Runs one command in the process that commands share; `line` is split at spaces, a list is not. */
  const run = async (line: string | string[], options: RunOptions = {}): Promise<Outcome> => {
    const args = typeof line === 'string' ? line.split(' ').filter((part) => part !== '') : line
    return runCommand(t, args, { directory, ...options })
  }

  /** Runs a command that must succeed and returns what it printed. */
  const done = async (line: string | string[], options: RunOptions = {}): Promise<string> => {
    const { code, stdout, stderr } = await run(line, options)
    t.equal(code, 0, `${String(line)}: ${stderr}`)
    t.equal(stderr.replace(progress, ''), '', 'nothing on standard error')
    return stdout
  }

  /** The same with `--json`; returns the value. */
  const json = async (line: string, options: RunOptions = {}): Promise<any> => {
    const stdout = await done(`${line} --json`, options)
    t.match(stdout, /^[^\n]+\n$/, 'one line')
    return JSON.parse(stdout)
  }

  return { directory, run, done, json, content: () => databaseContent(directory) }
}

export type Cli = Awaited<ReturnType<typeof createCli>>

/** Asserts that a command refused: its exit code, the message for the person, and nothing on standard output. */
export const expectRefusal = (t: Test, outcome: Outcome, code: 1 | 2, message: RegExp | string): void => {
  const { stdout, stderr } = outcome
  t.equal(outcome.code, code, `exit code; standard error: ${stderr}`)
  t.equal(stdout, '', 'nothing on standard output')
  if (typeof message === 'string') t.equal(stderr, message)
  else t.match(stderr, message)
  t.notMatch(stderr, /^\s+at |node:internal|\.[jt]s:\d/m, 'no stack')
}
