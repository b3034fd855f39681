import type { Readable } from 'node:stream'
import { problem } from '../../../lib/problem.js'
import { appendToTemporaryFile, createTemporaryFile } from '../../../lib/temporary-folder.js'

/** An uploaded file on the disk. */
export interface UploadedFile {
  /** The first bytes, as many as tell kinds of files apart. */
  start: Buffer
  size: number
  /** Reads it from the beginning. */
  open: () => Readable
  /** The whole content, for small files. */
  read: () => Promise<Buffer>
  close: () => Promise<void>
}

/** Counts the bytes of all temporary files. */
export const createTemporarySpace = (max: number) => {
  let used = 0
  return {
    /** Throws `unavailable` when there is no room. */
    add(bytes: number): void {
      if (used + bytes > max) throw problem('unavailable', { retryAfter: 30 })
      used += bytes
    },
    free: (bytes: number): void => void (used -= bytes),
  }
}

export type TemporarySpace = ReturnType<typeof createTemporarySpace>

const startLength = 8
/** CSV of this size, some hundred rows, is parsed in one go. Bytes. */
const chunkSize = 4096

/**
 * Writes an upload to a temporary file. `onChunk` may throw. Throws a `TemporaryFolderError` when the file cannot be written.
 */
export const storeUpload = async (
  content: AsyncIterable<Buffer>,
  space: TemporarySpace,
  onChunk: (file: Pick<UploadedFile, 'start' | 'size'>) => void,
): Promise<UploadedFile> => {
  const handle = await createTemporaryFile()
  let stored = 0
  const close = async () => {
    space.free(stored)
    stored = 0
    await handle.close()
  }
  try {
    const file = { start: Buffer.alloc(0), size: 0 }
    for await (const chunk of content) {
      if (file.start.length < startLength) file.start = Buffer.concat([file.start, chunk]).subarray(0, startLength)
      file.size += chunk.length
      onChunk(file)
      space.add(chunk.length)
      stored += chunk.length
      await appendToTemporaryFile(handle, chunk)
    }
    return {
      ...file,
      open: () => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize }),
      async read() {
        const buffer = Buffer.alloc(file.size)
        await handle.read(buffer, 0, file.size, 0)
        return buffer
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
