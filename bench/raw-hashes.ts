import { parentPort, workerData } from 'node:worker_threads'
import { hashSync } from '@node-rs/argon2'
import { hashParameters } from './hash-parameters.js'

/** Hashes one password again and again for `milliseconds`; the message is the number of hashes. */
const { milliseconds } = workerData as { milliseconds: number }
const end = performance.now() + milliseconds
let count = 0
for (; performance.now() < end; count++) hashSync('correct horse battery', hashParameters)
parentPort?.postMessage(count)
