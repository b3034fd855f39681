import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { Answer, Order } from './command-process.js'
import { programs } from './project.js'
import { spawnProgram, variablesOf, type ChildOptions, type Outcome } from './spawn.js'

/** Only a failure takes so long, on however slow a machine. Milliseconds. */
const patience = 300_000

const startProcess = (module: string) => {
  const variables = { PATH: process.env['PATH'] ?? '' }
  const program = 'test/helpers/processes/command-process.js'
  const started = spawnProgram(program, [join(programs, module)], variables, { hasChannel: true })
  const { child, ended } = started
  // The test process need not wait for it: the clock of each command does that.
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref()
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  return started
}

/** What `stream` brings until it brings the boundary. */
const readUntil = (stream: Readable, boundary: string): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const take = (more: string) => {
      text += more
      if (!text.endsWith(boundary)) return
      stream.off('data', take)
      resolve(text.slice(0, -boundary.length))
    }
    stream.on('data', take)
  })

/** A process, started when it is needed, in which the commands of `module` run one after the other. */
export const createCommandProcess = (module: string, { longest = patience } = {}) => {
  let shared: ReturnType<typeof startProcess> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isRunning = false

  const execute = async (args: string[], options: ChildOptions): Promise<Outcome> => {
    const { child, output, ended } = (shared ??= startProcess(module))
    const boundary = `\n${randomUUID()}\n`
    const before = output.stderr.length
    const answer = Promise.all([
      readUntil(child.stdout, boundary),
      readUntil(child.stderr, boundary),
      once(child, 'message') as Promise<[Answer]>,
    ])
    let fault = 'ended the process that commands share'
    // Goes on until the end of the process has been seen: nothing else keeps the test process meanwhile.
    const timer = setInterval(() => {
      fault = `did not end within ${longest / 1000} seconds`
      child.kill('SIGKILL')
    }, longest)
    isRunning = true
    const { input = '', typed } = options
    child.send({ args, environment: variablesOf(options), input, typed, boundary } satisfies Order)
    try {
      const [stdout, stderr, [{ code }]] = await Promise.race([
        answer,
        ended.then(({ code, signal, stderr }) => {
          shared = undefined
          const how = signal ?? `exit code ${code ?? 'unknown'}`
          throw new Error(`rollcall ${args.join(' ')} ${fault} (${how}): ${stderr.slice(before)}`)
        }),
      ])
      return { code, signal: null, stdout, stderr }
    } finally {
      isRunning = false
      clearInterval(timer)
    }
  }

  return {
    /** Rejects when the command crashes, ends the process, or does not end. */
    run: (args: string[], options: ChildOptions): Promise<Outcome> => {
      const outcome = last.then(() => execute(args, options))
      last = outcome.catch(() => undefined)
      return outcome
    },

    /** Kills a command that still runs. */
    async interrupt(): Promise<void> {
      if (isRunning) shared?.child.kill('SIGKILL')
      await last
    },
  }
}

const rollcall = createCommandProcess('cli/program.js')

/** Runs `rollcall` in the process that all commands of this test process share: most of its time goes into loading. */
export const runCommand = (t: Test, args: string[], options: ChildOptions): Promise<Outcome> => {
  if (options.environment?.['NODE_OPTIONS'] !== undefined) throw new Error('NODE_OPTIONS are for a process of its own')
  t.teardown(() => rollcall.interrupt())
  return rollcall.run(args, options)
}
