// Loaded before a program, or into the process of a test: a disk that fails when the test says so.
import fs, { existsSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const { fdatasync } = fs
const orderOf = (directory: string) => join(directory, 'fail-once')
let failing = process.env['DATA_DIR']

/** The next flush of a program that serves `directory` fails, and those after it succeed: so does the kernel. */
export const failNextFlush = (directory: string): void => {
  failing = directory
  writeFileSync(orderOf(directory), '')
}

const isDue = (): boolean => {
  const order = failing === undefined ? undefined : orderOf(failing)
  if (order === undefined || !existsSync(order)) return false
  rmSync(order)
  return true
}

fs.fdatasync = Object.assign(
  (file: number, done: (error: Error | null) => void) => {
    if (isDue()) setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
    else fdatasync(file, done)
  },
  { __promisify__: fdatasync.__promisify__ },
)
syncBuiltinESMExports()
