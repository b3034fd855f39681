import { rm, writeFile } from 'node:fs/promises'

/** What the log may grow by in a busy moment. Bytes. */
const needed = 256 * 1024
const ownerOnly = 0o600

/**
 * Throws when the disk of the database file is full. A write to the database does not show this: its log has unused
 * space for some time after the disk is full.
 */
export const testRoom = async (path: string): Promise<void> => {
  const file = `${path}-room`
  try {
    await writeFile(file, Buffer.alloc(needed), { mode: ownerOnly, flush: true })
  } finally {
    await rm(file, { force: true })
  }
}
