// Runs in a thread of its own, and is JavaScript so that the thread starts without a compiler, in tests too.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { verifySync as verifyBcrypt } from '@node-rs/bcrypt'

/** Requests that need no hash come first; but a machine that is busy with other things still gets people in. */
const niceness = 5

try {
  // On Linux this is the priority of the thread, elsewhere of the whole process.
  if (process.platform === 'linux') setPriority(0, niceness)
} catch {
  // Where the system does not let anybody choose, hashing competes with everything else.
}

/** @type {Record<string, ((...values: any[]) => unknown) | undefined>} */
const work = { hash: hashSync, argon2: verifySync, bcrypt: verifyBcrypt }

const run = (/** @type {{ name: string, values: unknown[] }} */ { name, values }) => {
  try {
    return { result: work[name]?.(...values) }
  } catch (error) {
    return { error }
  }
}

parentPort?.on('message', (/** @type {Parameters<typeof run>[0][]} */ batch) => {
  parentPort?.postMessage(batch.map(run))
})
