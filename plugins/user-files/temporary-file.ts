import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

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

const startLength = 8
/** CSV of this size, some hundred rows, is parsed in one go. Bytes. */
const chunkSize = 4096

/**
 * Writes an upload to the folder for temporary files. The name is removed before the first byte is written: nobody else can
 * open the file, and it disappears with the process, because uploads contain passwords. `onChunk` may throw.
 */
export const storeUpload = async (
  content: AsyncIterable<Buffer>,
  onChunk: (file: Pick<UploadedFile, 'start' | 'size'>) => void,
): Promise<UploadedFile> => {
  const path = join(tmpdir(), `rollcall-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const file = { start: Buffer.alloc(0), size: 0 }
    for await (const chunk of content) {
      if (file.start.length < startLength) file.start = Buffer.concat([file.start, chunk]).subarray(0, startLength)
      file.size += chunk.length
      onChunk(file)
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
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
