import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { cores } from '../cores.js'
import { compareEach, measure, type Load } from '../load.js'
import { median, type Part } from '../part.js'
import { warmLeastSignIns, warmSignIns } from '../sign-ins.js'
import { ratios } from '../targets.js'

const milliseconds = 1000
const rawHashes = new URL('../raw-hashes.js', import.meta.url)

/** More rounds than elsewhere: hashing uses the whole machine, so that other processes disturb it more. */
const rounds = 5

/** Time in which the service finishes its work. Milliseconds. */
const calm = 500

/**
 * Hashes per second on all cores, with one thread per core. The asynchronous functions of the library reach a seventh fewer,
 * which would be too low a limit.
 */
const measureHashes = async (seconds: number): Promise<number> => {
  // Sign-ins that were waiting when the load ended are still running.
  await setTimeout(calm)
  const workerData = { milliseconds: seconds * milliseconds }
  const counts = await Promise.all(
    Array.from({ length: cores }, async () => {
      const [count] = (await once(new Worker(rawHashes, { workerData }), 'message')) as [number]
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

const microseconds = 1000

/** Sign-ins per second, and the share of all cores that the load (this process) used each time. */
const createSubject = (load: Load, seconds: number) => {
  const shares: number[] = []
  const measureSignIns = async () => {
    const [start, before] = [performance.now(), process.cpuUsage()]
    const perSecond = await measure(load, seconds)
    const { user, system } = process.cpuUsage(before)
    const taken = (user + system) / microseconds / (performance.now() - start)
    shares.push(taken / cores)
    return perSecond
  }
  return { measure: measureSignIns, share: () => median(shares) }
}

export const login: Part = {
  description:
    'sign-ins of many users, and the smallest possible sign-in, relative to raw password hashes on all cores',
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
    // The load uses a part of the machine; real clients run on other machines.
    const values = outcomes.map((outcome, index) => ({
      ...outcome,
      ofWhatTheLoadLeaves: outcome.ratio / (1 - (subjects[index]?.share() ?? 0)),
    }))
    const [ours, smallest] = outcomes
    return [
      {
        name: 'login',
        values: { ...values[0], ofTheSmallest: (ours?.ratio ?? 0) / (smallest?.ratio ?? 1) },
        target: { value: 'ofTheSmallest', atLeast: ratios[bench.database.engine].login },
      },
      { name: 'the smallest possible sign-in', values: values[1] ?? {} },
    ]
  },
}
