// Runs in a thread of its own, so that the flood does not share the event loop of the server: signs in under names that
// nobody has, from many addresses at once, until it is told to stop.
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { origin, connections, addresses } = workerData as { origin: string; connections: number; addresses: number }
const agent = new Agent({ keepAlive: true })
const outcomes: Record<string, number> = {}
let isRunning = true
let names = 0

/** Resolves to the reason of the refusal, or to what went wrong. */
const signIn = (address: string) =>
  new Promise<string>((resolve) => {
    const body = JSON.stringify({ username: `stranger-${names++}`, password: 'wrong horse battery' })
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': address,
    }
    const sent = request(`${origin}/auth/login`, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve(JSON.parse(text).data.reason))
    })
    sent.on('error', (error) => resolve(error.message)).end(body)
  })

const repeat = async (address: string) => {
  while (isRunning) {
    const outcome = await signIn(address)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
}

const ended = Promise.all(Array.from({ length: connections }, (_, index) => repeat(`203.0.113.${index % addresses}`)))
parentPort?.once('message', () => {
  isRunning = false
  void ended.then(() => {
    agent.destroy()
    parentPort?.postMessage(outcomes)
  })
})
