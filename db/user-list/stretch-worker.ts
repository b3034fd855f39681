import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../engine-sqlite.js'
import { createLatestChange } from './changes-sqlite.js'
import type { Renderer } from './renderer.js'
import { createSnapshots } from './snapshot-sqlite.js'
import { createStretch, stretchLength, type Stretch } from './stretch.js'

export interface StretchWorkerData {
  path: string
  /** The address of the module of the renderer. */
  module: string
}

/** A stretch as of one moment. */
export interface MadeStretch extends Stretch {
  number: number
  /** The latest change that it knows. */
  latest: number
}

export type StretchAnswer = MadeStretch | { number: number; error: string }

/** Nobody waits for this thread. Milliseconds. */
const patience = 5000

const { path, module } = workerData as StretchWorkerData
const { render } = (await import(module)) as Renderer
const connection = openReader(path, patience)
const latestChange = createLatestChange(connection)
const snapshots = createSnapshots(connection)

const make = (number: number): MadeStretch =>
  snapshots.read(() => {
    const latest = latestChange()
    // This thread does not follow the changes.
    snapshots.forgetNames()
    const first = number * stretchLength
    const users = snapshots.usersBetween(first, first + stretchLength - 1)
    const texts = users.map((user): [id: number, text: string] => [user.id, render(user)])
    return { number, latest, ...createStretch(number, texts) }
  })

parentPort?.on('message', (number: number) => {
  try {
    const made = make(number)
    parentPort?.postMessage(made satisfies StretchAnswer, [made.starts.buffer, made.lengths.buffer, made.bytes.buffer])
  } catch (error) {
    parentPort?.postMessage({ number, error: String(error) } satisfies StretchAnswer)
  }
})
