import { setTimeout } from 'node:timers/promises'
import type { Bench, Part } from '../part.js'

const mebibyte = 2 ** 20
/** Targets in MiB by number of users. */
const limits = new Map([
  [1000, 170],
  [1_000_000, 350],
])

/** Until threads that nobody needs any more have ended. Milliseconds. */
const idle = 32_000

const idleMemory = async ({ memory }: Bench): Promise<number> => {
  await setTimeout(idle)
  return (await memory()) / mebibyte
}

/** The parts before it are token checks, list pages and searches. */
export const memory: Part = {
  description: 'resident memory of the server after the parts above and half a minute without requests, MiB',
  everySize: true,
  async run(bench) {
    const atMost = limits.get(bench.users)
    const values = { MiB: await idleMemory(bench) }
    return [{ name: 'memory', values, ...(atMost === undefined ? {} : { target: { value: 'MiB', atMost } }) }]
  },
}

/** Includes what sign-ins, captcha pictures and the document leave in use. */
export const memoryAtEnd: Part = {
  description: 'the same after all other parts, MiB',
  everySize: false,
  run: async (bench) => [{ name: 'memory at the end', values: { MiB: await idleMemory(bench) } }],
}
