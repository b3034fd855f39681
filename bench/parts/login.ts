import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { measure } from '../load.js'
import type { Part } from '../part.js'

const milliseconds = 1000

/** Hashes per second with the parameters of the configuration's floor, on all cores. */
const measureHashes = async (seconds: number): Promise<number> => {
  const end = performance.now() + seconds * milliseconds
  const start = performance.now()
  let count = 0
  const work = async () => {
    for (; performance.now() < end; count++) {
      await hash('correct horse battery', { memoryCost: 19456, timeCost: 2, parallelism: 1 })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return (count * milliseconds) / (performance.now() - start)
}

/** Sign-ins beside the raw password hash. */
export const login: Part = async ({ url, signIn, seconds }) => {
  const limitPerSecond = await measureHashes(seconds)
  const headers = { 'content-type': 'application/json' }
  const perSecond = await measure({ url: `${url}/auth/login`, method: 'POST', headers, body: signIn }, seconds)
  return [{ name: 'login', perSecond, limitPerSecond, ratio: perSecond / limitPerSecond, target: 0.9 }]
}
