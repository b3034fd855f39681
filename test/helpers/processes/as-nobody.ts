import { chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'

/** The number of the user without rights. */
const nobody = 65_534

/** Lets every user pass through the folders above a path of a test. */
export const openFoldersAbove = (path: string): void => {
  const folder = dirname(path)
  if (folder === tmpdir()) return
  chmodSync(folder, 0o755)
  openFoldersAbove(folder)
}

/** Runs `work`, which must not wait, as a user who is not root, while what is at `path` has the mode: to root no file is closed. */
export const asNobody = <T>(path: string, mode: number, work: () => T): T => {
  openFoldersAbove(path)
  chmodSync(path, mode)
  const user = process.geteuid?.() ?? nobody
  if (user === 0) process.seteuid?.(nobody)
  try {
    return work()
  } finally {
    if (user === 0) process.seteuid?.(user)
    chmodSync(path, 0o700)
  }
}
