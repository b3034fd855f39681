import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'

/**
 * Gives a complete file a name that must be new: throws `EEXIST`, and changes nothing, when somebody has created such a file meanwhile,
 * which a rename alone would replace.
 */
export const moveToNewName = (complete: string, path: string): void => {
  try {
    linkSync(complete, path)
    rmSync(complete)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    moveWithoutLinks(complete, path)
  }
}

/** For file systems without hard links, such as exFAT and many network mounts: an empty file keeps the name free until the rename. */
const moveWithoutLinks = (complete: string, path: string): void => {
  closeSync(openSync(path, 'wx', 0o600))
  try {
    renameSync(complete, path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}
