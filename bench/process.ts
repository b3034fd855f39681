import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own, which reports its address when it listens. */
export interface ServerProcess {
  url: string
  stop(): Promise<void>
}

const stop = async (child: ChildProcess) => {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Starts a module beside this file and waits for its message `{ url }`. */
export const startProcess = async (module: string, environment: Record<string, string>): Promise<ServerProcess> => {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await Promise.race([
    once(child, 'message').then(([message]) => (message as { url: string }).url),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${module} ended with ${String(code)} before it listened`)
    }),
  ])
  return { url, stop: () => stop(child) }
}
