import type { Test } from 'tap'
import type { Guest } from '../../../guests/guest.js'
import { guests } from '../../../guests/index.js'
import type { Cell } from '../../../plugins/people/files/format.js'
import type { FileFormatName } from '../../../schemas/user-files.js'
import type { TestServer } from './server.js'

/** Whether the guest is there that reads and writes workbooks. */
export const hasWorkbooks = guests.some(({ name }) => name === 'workbooks')
/** For tests that have no meaning without workbooks. */
export const skipWithoutWorkbooks = hasWorkbooks ? false : 'there are no workbooks'
/** The formats that are there. */
export const formats: readonly FileFormatName[] = hasWorkbooks ? ['csv', 'xlsx'] : ['csv']
/** A workbook, where there are any. */
export const lastFormat = hasWorkbooks ? 'xlsx' : 'csv'

/** A table as a file. */
export const tableIn = async (
  { app }: Pick<TestServer, 'app'>,
  format: FileFormatName,
  rows: Cell[][],
): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of app.userFiles.formats.named(format).write([rows])) parts.push(Buffer.from(part as string))
  return Buffer.concat(parts)
}

/** Servers that start before the end of the test have no workbooks. */
export const leaveOutWorkbooks = (t: Test): void => {
  const present = guests as Guest[]
  const all = [...present]
  present.splice(0, Infinity, ...all.filter(({ name }) => name !== 'workbooks'))
  t.teardown(() => present.splice(0, Infinity, ...all))
}
