import { Worker } from 'node:worker_threads'
import type { Change, ChangeFeed } from './changes-sqlite.js'
import type { Limits } from './limits.js'
import { joinTexts, type Renderer } from './renderer.js'
import type { Snapshots } from './snapshot-sqlite.js'
import type { MadeStretch, StretchAnswer, StretchWorkerData } from './stretch-worker.js'
import { bytesOf, copyText, lengthOf, putText, removeText, stretchOf, type Stretch } from './stretch.js'

interface Remembered extends Stretch {
  /** A list that does not know this change is of an earlier moment. */
  latest: number
  /** When it was last of use, counted in pages. */
  used: number
}

/** For so many pages a stretch stays, though another could make use of its memory. */
const shortestStay = 10_000
const commaByte = 0x2c

/** The extension of this module: in tests the sources run as they are. */
const workerModule = new URL('stretch-worker.js', import.meta.url)

/**
 * The texts of users, ready to be sent. Those of a stretch of ids are made together by a worker thread, once some users
 * of it have been read one by one; whoever changes is forgotten, and remembered anew when read.
 */
export const createRememberedTexts = (
  path: string,
  { render, module }: Renderer,
  snapshots: Snapshots,
  feed: ChangeFeed,
  { textMemory, readsBeforeMaking }: Limits,
) => {
  const stretches = new Map<number, Remembered>()
  /** Users read one by one, by stretch. */
  const reads = new Map<number, number>()
  const wanted = new Set<number>()
  let size = 0
  let pages = 0
  let worker: Worker | undefined
  let isMaking = false

  const drop = (number: number): void => {
    const stretch = stretches.get(number)
    if (!stretch) return
    size -= bytesOf(stretch)
    stretches.delete(number)
  }

  /** Makes room; false when all that is there is in use. */
  const makeRoom = (bytes: number): boolean => {
    while (size + bytes > textMemory) {
      const [oldest] = [...stretches].sort(([, one], [, other]) => one.used - other.used)
      if (!oldest || pages - oldest[1].used < shortestStay) return false
      drop(oldest[0])
    }
    return true
  }

  const keep = ({ number, latest, ...stretch }: MadeStretch): void => {
    const changes = feed.since(latest)
    if (!changes || changes.some(({ kind }) => kind === 'names')) return
    for (const { userId } of changes) if (stretchOf(userId) === number) removeText(stretch, userId)
    drop(number)
    if (!makeRoom(bytesOf(stretch))) return
    stretches.set(number, { ...stretch, latest, used: pages })
    size += bytesOf(stretch)
  }

  const start = (): Worker => {
    const started = new Worker(workerModule, { workerData: { path, module } satisfies StretchWorkerData })
    const go = () => {
      isMaking = false
      // A thread that has nothing to do keeps no process alive.
      started.unref()
      makeNext()
    }
    started.on('message', (answer: StretchAnswer) => {
      // What could not be made is read one by one, as before.
      if ('bytes' in answer) keep(answer)
      go()
    })
    const end = () => {
      if (worker !== started) return
      worker = undefined
      wanted.clear()
      isMaking = false
    }
    started.on('error', end)
    started.on('exit', end)
    return started
  }

  const makeNext = (): void => {
    const [number] = wanted
    if (isMaking || number === undefined) return
    wanted.delete(number)
    isMaking = true
    worker ??= start()
    worker.ref()
    worker.postMessage(number)
  }

  const countRead = (number: number): void => {
    const count = (reads.get(number) ?? 0) + 1
    reads.set(number, count)
    if (count < readsBeforeMaking) return
    reads.delete(number)
    const average = stretches.size > 0 ? size / stretches.size : 0
    if (!makeRoom(average)) return
    wanted.add(number)
    makeNext()
  }

  /** The stretch with the text of a user, as of the latest known change. */
  const find = (id: number): Remembered | undefined => {
    const stretch = stretches.get(stretchOf(id))
    if (!stretch || stretch.latest > feed.latest() || lengthOf(stretch, id) === 0) return undefined
    stretch.used = pages
    return stretch
  }

  const read = (ids: number[]): Map<number, Uint8Array> => {
    const texts = new Map<number, Uint8Array>()
    for (const user of snapshots.users(ids)) {
      const text = Buffer.from(render(user))
      texts.set(user.id, text)
      const number = stretchOf(user.id)
      const stretch = stretches.get(number)
      if (stretch && stretch.latest <= feed.latest()) putText(stretch, user.id, text)
      else countRead(number)
    }
    return texts
  }

  /** The texts of these users with commas between them; undefined when they are not all remembered. */
  const remembered = (ids: number[]): Buffer | undefined => {
    pages++
    const found: Remembered[] = []
    let length = Math.max(0, ids.length - 1)
    for (const id of ids) {
      const stretch = find(id)
      if (!stretch) return undefined
      found.push(stretch)
      length += lengthOf(stretch, id)
    }
    // Copied at once: what is remembered may change before the answer is out.
    const target = Buffer.allocUnsafe(length)
    let position = 0
    for (const [index, stretch] of found.entries()) {
      if (index > 0) target[position++] = commaByte
      position = copyText(stretch, ids[index] ?? 0, target, position)
    }
    return target
  }

  return {
    remembered,

    /** The same, of the snapshot that is being read; ids that nobody has are left out. */
    texts(ids: number[]): Buffer {
      const all = remembered(ids)
      if (all) return all
      const missing = read(ids.filter((id) => !find(id)))
      return joinTexts(
        ids.flatMap((id) => {
          const text = missing.get(id)
          const stretch = text ? undefined : find(id)
          return text ?? (stretch ? remembered([id]) : undefined) ?? []
        }),
      )
    },

    /** Forgets who has changed; all of them when the changes cannot be told. */
    forget(changes: Change[] | undefined): void {
      if (!changes || changes.some(({ kind }) => kind === 'names')) {
        snapshots.forgetNames()
        stretches.clear()
        size = 0
        return
      }
      for (const { userId } of changes) {
        const stretch = stretches.get(stretchOf(userId))
        if (stretch) removeText(stretch, userId)
      }
    },

    async close(): Promise<void> {
      wanted.clear()
      await worker?.terminate()
    },
  }
}
