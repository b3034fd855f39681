import { Agent, get } from 'node:http'
import { constants, setPriority } from 'node:os'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { answerQuestions } from './questions.js'

export interface Probe {
  url: string
  headers: Record<string, string>
  perSecond: number
  seconds: number
}

/** Milliseconds from the planned time of a request to the end of its response. */
export interface Latencies {
  p50: number
  p99: number
  max: number
}

const microseconds = 1000
const second = 1000

/**
 * Sends requests at planned times, whether or not earlier requests have been answered, like independent clients. Latency
 * counts from the planned time, so that the requests sent while the server stands still are measured too.
 */
const probe = async ({ url, headers, perSecond, seconds }: Probe): Promise<Latencies> => {
  const agent = new Agent({ keepAlive: true })
  const histogram = createHistogram()
  let failure: Error | undefined
  const send = (due: number) =>
    new Promise<void>((resolve) => {
      const request = get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) failure = new Error(`${url} answered ${String(response.statusCode)}`)
        response.resume().on('end', () => {
          histogram.record(Math.max(1, Math.round((performance.now() - due) * microseconds)))
          resolve()
        })
      })
      request.on('error', (error) => {
        failure = error
        resolve()
      })
    })
  const start = performance.now()
  const sent: Promise<void>[] = []
  for (const count = perSecond * seconds; sent.length < count;) {
    const due = start + (sent.length * second) / perSecond
    if (due > performance.now()) await setTimeout(1)
    else sent.push(send(due))
  }
  await Promise.all(sent)
  agent.destroy()
  if (failure) throw failure
  const milliseconds = (value: number) => value / microseconds
  return {
    p50: milliseconds(histogram.percentile(50)),
    p99: milliseconds(histogram.percentile(99)),
    max: milliseconds(histogram.max),
  }
}

try {
  // The probe represents clients on other machines, which do not compete for the cores of this one.
  setPriority(constants.priority.PRIORITY_HIGH)
} catch {
  // Only root may raise the priority.
}
answerQuestions({ probe })
process.on('SIGTERM', () => process.exit(0))
