import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { compareEach, measure, type Load } from '../load.js'
import { median, type Part } from '../part.js'
import { warmLeastSignIns, warmSignIns } from '../sign-ins.js'

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

/** Sign-ins per second, and the share of all cores that this process, the load, had each time. */
const createSubject = (load: Load, seconds: number) => {
  const shares: number[] = []
  const measureSignIns = async () => {
    const [start, before] = [performance.now(), process.cpuUsage()]
    const perSecond = await measure(load, seconds)
    const { user, system } = process.cpuUsage(before)
    const taken = (user + system) / microseconds / (performance.now() - start)
    shares.push(taken / availableParallelism())
    return perSecond
  }
  return { measure: measureSignIns, share: () => median(shares) }
}

export const login: Part = {
  description: 'sign-ins of many users, and the least they can be, beside raw password hashes on all cores',
  everySize: false,
  sharesCores: true,
  async run(bench) {
    const { seconds } = bench
    const length = 4 * seconds
    const rollcall = createSubject(await warmSignIns(bench), length)
    const least = createSubject(await warmLeastSignIns(bench), length)
    const subjects = [rollcall, least]
    const outcomes = await compareEach(
      subjects.map((subject) => subject.measure),
      () => measureHashes(length),
      rounds,
    )
    // The load has a part of the machine that is hashed on otherwise; people who sign in bring machines of their own.
    const values = outcomes.map((outcome, index) => ({
      ...outcome,
      ofWhatTheLoadLeaves: outcome.ratio / (1 - (subjects[index]?.share() ?? 0)),
    }))
    return [
      { name: 'login', values: values[0] ?? {}, target: { value: 'ratio', atLeast: 0.9 } },
      { name: 'the least that a sign-in can be', values: values[1] ?? {} },
    ]
  },
}
