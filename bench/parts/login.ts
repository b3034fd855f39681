import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { compare, measure } from '../load.js'
import { median, type Part } from '../part.js'
import { warmSignIns } from '../sign-ins.js'

const milliseconds = 1000
/** The floor of the settings, which a new installation has. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing has the whole machine to itself or not at all: more rounds than elsewhere make up for what else it does. */
const rounds = 5

/** Hashes per second on all cores. */
const measureHashes = async (seconds: number): Promise<number> => {
  const start = performance.now()
  const end = start + seconds * milliseconds
  let count = 0
  const work = async () => {
    for (; performance.now() < end; count++) await hash('correct horse battery', parameters)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return (count * milliseconds) / (performance.now() - start)
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
    const shares: number[] = []
    const subject = async () => {
      const { perSecond, share } = await withShare(() => measure(load, 3 * seconds))
      shares.push(share)
      return perSecond
    }
    const outcome = await compare(subject, () => measureHashes(3 * seconds), rounds)
    // The load has a part of the machine that is hashed on otherwise; people who sign in bring machines of their own.
    const values = { ...outcome, ofWhatTheLoadLeaves: outcome.ratio / (1 - median(shares)) }
    return [{ name: 'login', values, target: { value: 'ratio', atLeast: 0.9 } }]
  },
}
