import { on } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { invalidField, problem } from '../../../lib/problem.js'
import { receiveInTime } from './pace.js'
import { storeUpload, type TemporarySpace, type UploadedFile } from './temporary-file.js'

/** `zip` is what an .xlsx workbook is; `old` is an .xls workbook, or an encrypted .xlsx. */
export type FileKind = 'text' | 'zip' | 'old'

const signatures: [kind: FileKind, start: string][] = [
  ['zip', '504b0304'],
  ['old', 'd0cf11e0a1b11ae1'],
]

export const kindOf = ({ start }: Pick<UploadedFile, 'start'>): FileKind =>
  signatures.find(([, signature]) => start.toString('hex').startsWith(signature))?.[0] ?? 'text'

type Store = (content: AsyncIterable<Buffer>) => Promise<UploadedFile>

/** Chunks that wait for the disk. */
const maxWaiting = 4

/**
 * The body of a request, until the signal is aborted. Its own iterator would not end then: a request that has been answered says
 * nothing when its connection is closed.
 */
async function* bodyOf(request: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const options = { signal, close: ['end'], highWaterMark: maxWaiting, lowWaterMark: 1 }
  for await (const [chunk] of on(request, 'data', options) as AsyncIterable<[Buffer]>) yield chunk
}

/** The field `file` of a form; other fields are skipped. */
const storeFormFile = (request: IncomingMessage, store: Store, signal: AbortSignal): Promise<UploadedFile> =>
  new Promise((resolve, reject) => {
    const stored: Promise<UploadedFile>[] = []
    const contents: Readable[] = []
    let hasFailed = false
    const fail = (error: Error) => {
      hasFailed = true
      request.unpipe(form)
      // What is still to come is read and forgotten, so that the client can read the answer.
      request.resume()
      reject(error)
      // The form does not end the file that it was in the middle of, which would stay open.
      for (const content of contents) content.destroy(error)
      // An upload that was stored before is not needed.
      for (const file of stored) file.then(({ close }) => close()).catch(() => undefined)
    }
    const form = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fieldSize: 1024, fields: 20, files: 2, parts: 30, headerPairs: 20 },
    })
    form.on('file', (name, content) => {
      // The form reports the same fault. Without a listener an incomplete form would end the process.
      content.on('error', () => undefined)
      if (name !== 'file' || hasFailed) {
        content.resume()
        return
      }
      contents.push(content)
      const storing = store(content)
      stored.push(storing)
      storing.catch(fail)
    })
    form.on('error', () => fail(invalidField('file', 'multipart')))
    form.on('finish', () => {
      const [first, another] = stored
      if (!first) fail(invalidField('file', 'required'))
      else if (another) fail(invalidField('file', 'one_file'))
      else first.then(resolve, reject)
    })
    const failEarly = () => fail(invalidField('file', 'multipart'))
    request.once('close', () => {
      if (!request.complete) failEarly()
    })
    signal.addEventListener('abort', failEarly)
    request.pipe(form)
  })

const receive = async (request: IncomingMessage, store: Store, late: AbortSignal): Promise<UploadedFile> => {
  if (!(request.headers['content-type'] ?? '').toLowerCase().startsWith('multipart/')) {
    try {
      return await store(bodyOf(request, late))
    } finally {
      request.resume()
    }
  }
  try {
    return await storeFormFile(request, store, late)
  } catch (error) {
    // A form without a boundary is refused when it is created.
    if (error instanceof Error && error.message.startsWith('Multipart:')) throw invalidField('file', 'multipart')
    throw error
  }
}

/**
 * Stores an upload: the body itself, or the field `file` of `multipart/form-data`. `limitOf` gives the most bytes of a kind, and
 * may throw. Throws `payload_too_large`, `request_timeout`, `unavailable`, and `invalid_request` when there is not exactly one
 * complete file.
 */
export const createReceiveUpload = (limitOf: (kind: FileKind) => number, space: TemporarySpace) => {
  const store: Store = (content) =>
    storeUpload(content, space, (file) => {
      if (file.size > limitOf(kindOf(file))) throw problem('payload_too_large')
    })
  return (request: IncomingMessage): Promise<UploadedFile> =>
    receiveInTime(
      request,
      (late) => receive(request, store, late),
      (file) => file.close(),
    )
}
