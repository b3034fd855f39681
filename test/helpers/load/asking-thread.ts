// A thread: asks for a path again and again on some connections, and forgets the answers. The test itself has no work with them.
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface AskingTask {
  url: string
  headers: Record<string, string>
  connections: number
}

const { url, headers, connections } = workerData as AskingTask
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const statuses: Record<string, number> = {}
let isOver = false
let answers = 0

const ask = () =>
  new Promise<void>((resolve) => {
    get(url, { agent, headers }, (answer) => {
      const status = String(answer.statusCode)
      statuses[status] = (statuses[status] ?? 0) + 1
      // From now on there are requests on all connections.
      if (++answers === connections) parentPort?.postMessage('begun')
      answer.resume().on('close', resolve)
    }).on('error', () => resolve())
  })

const asking = Array.from({ length: connections }, async () => {
  while (!isOver) await ask()
})
parentPort?.once('message', () => (isOver = true))
await Promise.all(asking)
agent.destroy()
parentPort?.postMessage(statuses)
