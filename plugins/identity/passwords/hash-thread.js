// A worker thread. JavaScript, so that it starts without a compiler, in tests too.
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { verifySync as verifyBcrypt } from '@node-rs/bcrypt'
import { lowerPriority } from '../../../lib/lower-priority.js'

lowerPriority()

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
