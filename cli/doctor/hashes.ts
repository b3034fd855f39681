import { availableParallelism } from 'node:os'
import type { Installation } from '../../app.js'
import { findingsOf, type Finding } from './finding.js'

const { ok, warning } = findingsOf('hash cost')
const tries = 3
/** A sign-in that takes longer feels slow, and a few of them fill a processor. Milliseconds. */
const slow = 500

/** How long one password hash takes here: it decides how many people can sign in at a time. */
export const checkHashes = async ({ settings }: Installation): Promise<Finding[]> => {
  const { createHashing } = await import('../../plugins/identity/passwords/hashing.js')
  const hashing = createHashing(settings.passwords)
  try {
    const times: number[] = []
    // One more, because the first one starts the thread.
    for (let count = 0; count <= tries; count++) {
      const begin = performance.now()
      await hashing.hash('a password that nobody has')
      times.push(performance.now() - begin)
    }
    const time = Math.min(...times.slice(1))
    const perSecond = Math.floor((1000 / time) * availableParallelism())
    const message = `${Math.ceil(time)} ms for one password: about ${perSecond} sign-ins a second at most on ${availableParallelism()} processors`
    if (time <= slow) return [ok(message)]
    return [warning(message, 'Lower passwords.memoryKiB or passwords.passes, or take a faster machine.')]
  } finally {
    await hashing.close()
  }
}
