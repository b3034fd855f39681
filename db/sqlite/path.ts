import { isAbsolute, resolve } from 'node:path'

/** SQLite's own name for a database that ends with the process. */
export const memory = ':memory:'

/** The file of `sqlite:ADDRESS`; a relative path starts in `directory`. */
export const resolvePath = (address: string, directory: string): string =>
  address === memory || isAbsolute(address) ? address : resolve(directory, address)
