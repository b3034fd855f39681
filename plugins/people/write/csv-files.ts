import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { OperatorError } from '../../../lib/operator-error.js'
import { appendToTemporaryFile, createTemporaryFile } from '../../../lib/temporary-folder.js'

/** A CSV file that can be read several times. */
export interface CsvFile {
  /** How messages call it. */
  name: string
  open: () => Promise<Readable>
}

export const csvFileAt = (path: string): CsvFile => ({
  name: path,
  open: async () => {
    if (!(await stat(path)).isFile()) throw new OperatorError(`${path} is not a file.`)
    return createReadStream(path)
  },
})

/** What comes once only, such as standard input. */
export interface CsvStream {
  name: string
  stream: AsyncIterable<string | Buffer>
}

/** Keeps it in a temporary file until `work` is done. Throws a `TemporaryFolderError`. */
export const withStoredCsv = async <T>(
  { name, stream }: CsvStream,
  work: (file: CsvFile) => Promise<T>,
): Promise<T> => {
  const handle = await createTemporaryFile()
  try {
    for await (const chunk of stream) await appendToTemporaryFile(handle, Buffer.from(chunk as Buffer))
    return await work({ name, open: async () => handle.createReadStream({ start: 0, autoClose: false }) })
  } finally {
    await handle.close()
  }
}
