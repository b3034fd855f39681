import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from './operator-error.js'

/** The folder for temporary files is not there, full, or cannot be written. */
export class TemporaryFolderError extends OperatorError {
  constructor(cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException
    super(
      `Temporary files cannot be written in ${tmpdir()} (${code ?? message}), and users cannot be imported. ` +
        'Set TMPDIR to a folder with some space that this user can write to.',
      { cause },
    )
  }
}

/**
 * A file in the folder for temporary files. Its name is removed before the first byte is written: nobody else can open it, and it
 * disappears with the process, because uploads contain passwords. Throws a `TemporaryFolderError`.
 */
export const createTemporaryFile = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `rollcall-${randomUUID()}`)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'wx+', 0o600)
    await unlink(path)
    return handle
  } catch (error) {
    await handle?.close()
    throw new TemporaryFolderError(error)
  }
}

/** Appends to such a file. Throws a `TemporaryFolderError`. */
export const appendToTemporaryFile = async (handle: FileHandle, chunk: Buffer): Promise<void> => {
  try {
    await handle.appendFile(chunk)
  } catch (error) {
    throw new TemporaryFolderError(error)
  }
}

/** Throws a `TemporaryFolderError` unless temporary files can be written. */
export const checkTemporaryFolder = async (): Promise<void> => {
  const handle = await createTemporaryFile()
  try {
    await appendToTemporaryFile(handle, Buffer.alloc(1))
  } finally {
    await handle.close()
  }
}
