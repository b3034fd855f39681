import type { FileFormatName } from '../../../schemas/user-files.js'
import type { ImportSource } from '../write/import-file.js'
import type { UploadedFile } from './temporary-file.js'
import type { FileKind } from './upload.js'

export type Cell = string | number | null

/** An upload as a table. */
export type OpenedFile = ImportSource & { close: () => void }

/** A format of files of users: a row of the list in `formats.ts`. */
export interface FileFormat {
  /** What requests call it, and the extension of its files. */
  name: FileFormatName
  /** Media type. */
  type: string
  /** Users in one export. */
  maxUsers: number
  /** Programs read names of columns, numbers, and times with their offset; people read labels and local times. */
  readers: 'programs' | 'people'
  /** Writes a table, a part for each batch of rows. The first row names the columns. */
  write: (batches: AsyncIterable<Cell[][]> | Iterable<Cell[][]>) => AsyncIterable<string | Uint8Array>
  /** The kinds of uploads that it opens, each with the most bytes of one. */
  maxUpload: Partial<Record<FileKind, number>>
  /** Throws `invalid_request` and `payload_too_large`. */
  open: (file: UploadedFile, kind: FileKind, signal: AbortSignal) => Promise<OpenedFile>
}
