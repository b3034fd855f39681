import { setTimeout } from 'node:timers/promises'
import type { Part } from '../part.js'

const mebibyte = 2 ** 20
/** Targets in MiB by number of users. */
const limits = new Map([
  [1000, 160],
  [1_000_000, 350],
])

/** Until threads that nobody needs any more have ended. Milliseconds. */
const idle = 32_000

/** Runs last, so that it includes the memory that the other parts have left in use. */
export const memory: Part = {
  description: 'resident memory of the server after the other parts and half a minute without requests, MiB',
  everySize: true,
  async run(bench) {
    await setTimeout(idle)
    const atMost = limits.get(bench.users)
    const values = { MiB: (await bench.memory()) / mebibyte }
    return [{ name: 'memory', values, ...(atMost === undefined ? {} : { target: { value: 'MiB', atMost } }) }]
  },
}
