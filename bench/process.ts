import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createAsk, type Ready } from './questions.js'
import { startFlags, startVariables } from './start-command.js'

export type Environment = Record<string, string>

const pathOf = (module: string) => fileURLToPath(new URL(module, import.meta.url))
const running = new Set<ChildProcess>()

const register = (child: ChildProcess) => {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** Kills all processes that still run. */
export const endAll = async (): Promise<void> => {
  await Promise.all([...running].map((child) => end(child, 'SIGKILL')))
}

/** Starts a module of this folder in a process of its own, as `npm start` would; resolves when it is ready. */
export const startProcess = async (module: string, environment: Environment = {}) => {
  const child = fork(pathOf(module), {
    env: { ...process.env, ...startVariables, ...environment },
    execArgv: startFlags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  register(child)
  const url = await Promise.race([
    once(child, 'message').then(([message]) => (message as Ready).ready),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${module} ended with ${String(code)} before it was ready`)
    }),
  ])
  return { url, pid: child.pid ?? 0, ask: createAsk(child), stop: () => end(child, 'SIGTERM') }
}

export type Child = Awaited<ReturnType<typeof startProcess>>

/** Runs the command `rollcall` to its end and shows its progress. */
export const runCommand = async (args: string[], environment: Environment, input: string): Promise<void> => {
  const child = spawn(process.execPath, [pathOf('../cli/main.js'), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  register(child)
  child.stdin.end(input)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`rollcall ${args.join(' ')} ended with ${String(code)}`)
}
