import { parentPort, workerData } from 'node:worker_threads'
import { hashSync } from '@node-rs/argon2'

/** The floor of the settings, which a new installation has. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes one password after the other for so many milliseconds; says how many. */
const { milliseconds } = workerData as { milliseconds: number }
const end = performance.now() + milliseconds
let count = 0
for (; performance.now() < end; count++) hashSync('correct horse battery', parameters)
parentPort?.postMessage(count)
