import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { compare, measure } from '../load.js'
import { median, type Part } from '../part.js'
import { warmSignIns } from '../sign-ins.js'

const milliseconds = 1000
const rawHashes = new URL('../raw-hashes.js', import.meta.url)

/** Hashing has the whole machine to itself or not at all: more rounds than elsewhere make up for what else it does. */
const rounds = 5

/** Until the service has nothing left to do. Milliseconds. */
const calm = 500

/**
 * Hashes per second on all cores, in a thread for each. By the promises of the library there would be a seventh fewer: too
 * low a limit.
 */
const measureHashes = async (seconds: number): Promise<number> => {
  // Whoever was waiting when the load ended is still being signed in.
  await setTimeout(calm)
  const workerData = { milliseconds: seconds * milliseconds }
  const counts = await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      const [count] = (await once(new Worker(rawHashes, { workerData }), 'message')) as [number]
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

const microseconds = 1000

/** Runs `work`; resolves to its outcome and to the share of all cores that this process, the load, took meanwhile. */
const withShare = async (work: () => Promise<number>) => {
  const [start, before] = [performance.now(), process.cpuUsage()]
  const perSecond = await work()
  const { user, system } = process.cpuUsage(before)
  const taken = (user + system) / microseconds / (performance.now() - start)
  return { perSecond, share: taken / availableParallelism() }
}

export const login: Part = {
  description: 'sign-ins of many users beside the raw password hash on all cores',
  everySize: false,
  async run(bench) {
    const { seconds } = bench
    const load = await warmSignIns(bench)
    const length = 5 * seconds
    const shares: number[] = []
    const subject = async () => {
      const { perSecond, share } = await withShare(() => measure(load, length))
      shares.push(share)
      return perSecond
    }
    const outcome = await compare(subject, () => measureHashes(length), rounds)
    // The load has a part of the machine that is hashed on otherwise; people who sign in bring machines of their own.
    const values = { ...outcome, ofWhatTheLoadLeaves: outcome.ratio / (1 - median(shares)) }
    return [{ name: 'login', values, target: { value: 'ratio', atLeast: 0.9 } }]
  },
}
