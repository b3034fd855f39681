import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AskingTask } from './asking-thread.js'

const module = new URL('asking-thread.js', import.meta.url)

/**
 * Asks for a URL on some connections, in a thread, until the returned function is called, which tells how often each status was
 * answered. Resolves when there are as many answers as connections.
 */
export const askInThread = async (task: AskingTask): Promise<() => Promise<Record<string, number>>> => {
  const thread = new Worker(module, { workerData: task, execArgv: [] })
  await once(thread, 'message')
  return async () => {
    const answered = once(thread, 'message') as Promise<[Record<string, number>]>
    thread.postMessage('')
    const [statuses] = await answered
    await thread.terminate()
    return statuses
  }
}
