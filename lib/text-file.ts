import { readFileSync } from 'node:fs'

/** The text of a file that people edit. Some editors begin it with a byte order mark, which nobody sees. */
export const readTextFile = (path: string): string => readFileSync(path, 'utf8').replace(/^\u{feff}/u, '')
