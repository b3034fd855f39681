import type { IncomingMessage } from 'node:http'
import { Worker } from 'node:worker_threads'
import PQueue from 'p-queue'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { endThread } from '../../../lib/end-thread.js'
import { onAbort } from '../../../lib/on-abort.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { createSlots } from '../../../plugins/people/files/slots.js'
import { createTemporarySpace } from '../../../plugins/people/files/temporary-file.js'
import { createReceiveUpload } from '../../../plugins/people/files/upload.js'
import { rules } from '../rules.js'
import type { Scaled, ScaleTask } from './scale-thread.js'

const module = new URL('scale-thread.js', import.meta.url)

/** Uploads at the same time. */
const places = { inAll: 16, inTenant: 8, retryAfter: 5 }
/** Bytes of an upload. */
const maxBytes = 4 * 2 ** 20
/** Characters of an avatar. */
const maxLength = 60_000
/** Milliseconds. The largest picture takes less than a second. */
const maxTime = 10_000

const toUri = (scaled: Scaled): string => {
  if ('uri' in scaled) return scaled.uri
  if (scaled.rule === 'noPicture') throw invalidField('file', rules.noPicture)
  throw invalidField('file', rules.largePicture, { limit: scaled.limit })
}

/**
 * Checks and scales a picture in a thread, whose end frees the memory of the decoded picture. `uri` rejects with `invalid_request` for
 * what is not a picture, or too large a one.
 */
const scaleInThread = (content: Buffer, signal: AbortSignal): { uri: Promise<string>; ended: Promise<void> } => {
  const task: ScaleTask = { content, maxLength }
  const thread = new Worker(module, { workerData: task, execArgv: [] })
  const scaled = new Promise<Scaled>((resolve, reject) => {
    onAbort(signal, () => reject(problem('unavailable', { retryAfter: 5 })))
    AbortSignal.timeout(maxTime).addEventListener('abort', () => reject(invalidField('file', rules.slowPicture)))
    thread.on('message', resolve)
    thread.on('error', reject)
    thread.on('exit', () => resolve({ rule: 'noPicture' }))
  })
  const end = () => endThread(thread)
  return { uri: scaled.then(toUri), ended: scaled.then(end, end) }
}

/** Uploaded pictures, which are answered as small data URIs; no file is kept. */
export const createAvatars = () => {
  const slots = createSlots(places)
  const receiveUpload = createReceiveUpload(() => maxBytes, createTemporarySpace(places.inAll * maxBytes))
  const queue = new PQueue({ concurrency: 1 })
  const closing = new AbortController()

  return {
    /**
     * The data URI of an uploaded picture, of at most 256 pixels and 60,000 characters. Throws `invalid_request`, `payload_too_large`,
     * `request_timeout`, `too_many_requests` and `unavailable`.
     */
    async upload(caller: SessionOwner, request: IncomingMessage): Promise<string> {
      const end = slots.take(caller)
      try {
        const file = await receiveUpload(request)
        try {
          return await new Promise((resolve, reject) => {
            // Those that wait are on the disk: one picture is in memory at a time.
            const scaling = queue.add(async () => {
              const { uri, ended } = scaleInThread(await file.read(), closing.signal)
              // The answer does not wait for the end of a thread that other programs leave no time.
              uri.then(resolve, reject)
              await ended
            })
            scaling.catch(reject)
          })
        } finally {
          await file.close()
        }
      } finally {
        end()
      }
    },

    async close(): Promise<void> {
      closing.abort()
      await queue.onIdle()
    },
  }
}
