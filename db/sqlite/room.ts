import { rm, writeFile } from 'node:fs/promises'

/** What a busy moment adds to the log of the database. Bytes. */
const needed = 256 * 1024
const ownerOnly = 0o600

/**
 * Throws when the disk of the database file has no room left. To write to the database is not enough to tell: it has room
 * of its own, in its log, for some time after the disk is full.
 */
export const testRoom = async (path: string): Promise<void> => {
  const file = `${path}-room`
  try {
    await writeFile(file, Buffer.alloc(needed), { mode: ownerOnly, flush: true })
  } finally {
    await rm(file, { force: true })
  }
}
