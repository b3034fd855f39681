import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { startFlags } from '../../../bench/start-command.js'
import { programs } from './project.js'

export interface Outcome {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ChildOptions {
  environment?: Record<string, string> | undefined
  /** All of standard input; absent means none at all. */
  input?: string | undefined
  /** As if somebody sat at a terminal, who types such keys once such a text is shown. */
  typed?: [shown: string, keys: string][] | undefined
  directory: string
  /** Descriptors that the program may have open; absent means as many as the test. */
  maxDescriptors?: number | undefined
  /** As for `fork`: messages can be exchanged. */
  hasChannel?: boolean
}

/** Everything that a program finds in its environment. */
export const variablesOf = ({ directory, environment }: ChildOptions): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  DATA_DIR: directory,
  ...environment,
})

/** Where a program looks for the channel on which messages come and go: behind its input and its two outputs. */
const channel = { NODE_CHANNEL_FD: '3' }

/** Starts a compiled program with the flags of `npm start`, with these variables and no others; `hasChannel` as for `fork`. */
export const spawnProgram = (
  program: string,
  args: string[],
  variables: Record<string, string>,
  { hasChannel = false, maxDescriptors }: { hasChannel?: boolean; maxDescriptors?: number | undefined } = {},
) => {
  const environment = Object.entries({ ...variables, ...(hasChannel ? channel : {}) })
  const command = [process.execPath, ...startFlags, resolve(programs, program), ...args]
  // Nothing of what the test runner puts into the environment of every process: its loader alone takes as long as the
  // program. It does so in spite of `env`, so that the command of that name has to take it out again.
  const limited = maxDescriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${maxDescriptors}; exec "$@"`, 'sh']
  const child = spawn(
    'env',
    ['-i', ...environment.map(([name, value]) => `${name}=${value}`), ...limited, ...command],
    {
      stdio: ['pipe', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
    },
  ) as ChildProcessWithoutNullStreams
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text))
  }
  const ended = once(child, 'close').then((values): Outcome => {
    const [code, signal] = values as [number | null, NodeJS.Signals | null]
    return { code, signal, ...output }
  })
  return { child, output, ended }
}
