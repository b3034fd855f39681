// Loaded before a program: a file system without hard links, such as exFAT. With CAN_RENAME=no it renames nothing either.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const refuse = (syscall: string) => (from: unknown, to: unknown) => {
  const message = `EPERM: operation not permitted, ${syscall} '${String(from)}' -> '${String(to)}'`
  throw Object.assign(new Error(message), { code: 'EPERM', errno: -1, syscall })
}

fs.linkSync = refuse('link')
if (process.env['CAN_RENAME'] === 'no') fs.renameSync = refuse('rename')
syncBuiltinESMExports()
