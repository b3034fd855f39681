import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { problem } from '../../lib/problem.js'

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
 * Writes an upload to the folder for temporary files. The name is removed before the first byte is written: nobody else can
 * open the file, and it disappears with the process, because uploads contain passwords. `onChunk` may throw.
 */
export const storeUpload = async (
  content: AsyncIterable<Buffer>,
  space: TemporarySpace,
  onChunk: (file: Pick<UploadedFile, 'start' | 'size'>) => void,
): Promise<UploadedFile> => {
  const path = join(tmpdir(), `rollcall-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  let stored = 0
  const close = async () => {
    space.free(stored)
    stored = 0
    await handle.close()
  }
  try {
    await unlink(path)
    const file = { start: Buffer.alloc(0), size: 0 }
    for await (const chunk of content) {
      if (file.start.length < startLength) file.start = Buffer.concat([file.start, chunk]).subarray(0, startLength)
      file.size += chunk.length
      onChunk(file)
      space.add(chunk.length)
      stored += chunk.length
      await handle.appendFile(chunk)
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
