import { isAbsolute, resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.js'

/** SQLite's own name for a database that ends with the process. */
const memory = ':memory:'

/** The file of `sqlite:ADDRESS`; a relative path starts in `directory`. Throws an `OperatorError` for a database in memory. */
export const resolvePath = (address: string, directory: string): string => {
  if (address === memory) {
    throw new OperatorError(
      `A database in memory (sqlite:${memory}) would end with the process. Name a file, such as sqlite:rollcall.db.`,
    )
  }
  return isAbsolute(address) ? address : resolve(directory, address)
}
