import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { eventually } from './process.js'

/** Runs the command of an image in `directory` with these variables and no others, as this user, and waits until it serves. */
export const startCommand = async (
  t: Test,
  [program = '', ...args]: string[],
  directory: string,
  variables: Record<string, string>,
  user: { uid?: number; gid?: number } = {},
) => {
  const pairs = Object.entries({ PATH: process.env['PATH'] ?? '', ...variables }).map((pair) => pair.join('='))
  // Only so is what the test runner adds to the environment of every process left out.
  const child = spawn('env', ['-i', ...pairs, program, ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  await eventually('the service to be ready', () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`)
    return /Rollcall is ready/.exec(output) ?? undefined
  })
  return {
    /** Resolves to the exit code. */
    async stop() {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}
