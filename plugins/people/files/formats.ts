import { invalidField } from '../../../lib/problem.js'
import type { FileFormatName } from '../../../schemas/user-files.js'
import type { FileFormat } from './format.js'
import type { FileKind } from './upload.js'

/** The formats of files of users: those of the house, and those that guests add. Only workbooks may be missing. */
export const createFormats = (...house: FileFormat[]) => {
  const rows = [...house]
  return {
    add: (row: FileFormat): void => void rows.push(row),
    /** Throws `invalid_request` when there is no such format. */
    named(name: FileFormatName): FileFormat {
      const row = rows.find((one) => one.name === name)
      if (!row) throw invalidField('format', 'no_workbooks')
      return row
    },
    /** The format that opens uploads of a kind. Throws `invalid_request` when none does. */
    opening(kind: FileKind): FileFormat {
      const row = rows.find(({ maxUpload }) => kind in maxUpload)
      if (!row) throw invalidField('file', 'no_workbooks')
      return row
    },
  }
}

export type Formats = ReturnType<typeof createFormats>
