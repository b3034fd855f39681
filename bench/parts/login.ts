import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { compare, measure } from '../load.js'
import type { Part } from '../part.js'

const milliseconds = 1000
/** The floor of the settings, which a new installation has. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

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

export const login: Part = {
  description: 'sign-ins of many users beside the raw password hash on all cores',
  everySize: false,
  async run({ url, signIns, seconds, watched }) {
    const headers = { 'content-type': 'application/json' }
    const load = { url: `${url}/auth/login`, method: 'POST', headers, next: signIns() } as const
    const { outcome, holds } = await watched(() =>
      compare(
        () => measure(load, 3 * seconds),
        () => measureHashes(3 * seconds),
      ),
    )
    const values = { ...outcome, longestHold: holds.longest }
    return [{ name: 'login', values, target: { value: 'ratio', atLeast: 0.9 } }]
  },
}
