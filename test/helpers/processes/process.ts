import type { Test } from 'tap'
import { startChild, type ChildOptions } from './child.js'
import { createClient } from '../service/client.js'

const readyLine = /Rollcall is ready: (http:\/\/\S+)\/docs/

/** Only a failure takes so long, on however slow a machine. Milliseconds. */
const patience = 120_000

/** Resolves with the result of `attempt` as soon as it is not undefined; asked again every few milliseconds. */
export const eventually = async <T>(
  what: string,
  attempt: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  for (const end = Date.now() + patience; Date.now() < end;) {
    const result = await attempt()
    if (result !== undefined) return result
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`waited in vain for ${what}`)
}

/** Starts `server.js` on a free port and waits until it serves. */
export const startProcess = async (t: Test, options: ChildOptions, program = ['server.js']) => {
  const begin = performance.now()
  const environment = { PORT: '0', RATE_LIMITS: 'off', ...options.environment }
  const [file = '', ...args] = program
  const { child, output, ended } = startChild(t, file, args, { ...options, environment })
  const origin = await eventually('the server to be ready', () => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${output.stderr}`)
    return readyLine.exec(output.stdout)?.[1]
  })

  return {
    ...createClient(origin),
    origin,
    child,
    output,
    ended,
    /** Milliseconds from the start of the process to its first answer. */
    startTime: performance.now() - begin,
    /** Sends a signal and waits for the end. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    /** The log lines so far: what is JSON on standard output. */
    logLines: () =>
      output.stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, any>),
  }
}

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>

/** The password that a first start has printed. */
export const printedPassword = (text: string): string =>
  (/with the password\n\n {4}(\S+)\n/.exec(text) ?? /"username":"admin","password":"([^"]+)"/.exec(text))?.[1] ?? ''
