import type { FileAnswer } from '../../../lib/send-file.js'
import { labelOf } from '../../../schemas/column-labels.js'
import { importColumns, type ImportColumn } from '../../../schemas/import-columns.js'
import type { Language } from '../../../schemas/problems.js'
import type { FileFormatName } from '../../../schemas/user-files.js'
import type { FileFormat } from './format.js'
import type { Formats } from './formats.js'

const toFile = async (rows: string[][], { write }: FileFormat): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of write([rows])) parts.push(Buffer.from(part as string))
  return Buffer.concat(parts)
}

/** `exampleRow`: a cell of the row that shows how the columns of an import are filled in. */
export const createTemplates = (formats: Formats, exampleRow: (column: ImportColumn, language: Language) => string) => {
  /** Each is the same for everybody, and written once. */
  const written = new Map<string, Promise<Buffer>>()
  const templateIn = (language: Language, format: FileFormat): Promise<Buffer> => {
    const key = `${language} ${format.name}`
    const rows = [
      importColumns.map((column) => labelOf(column, language)),
      importColumns.map((column) => exampleRow(column, language)),
    ]
    const kept = written.get(key) ?? toFile(rows, format)
    written.set(key, kept)
    return kept
  }
  return {
    /**
     * A file that names the columns of an import and has one row, an example, which an import skips. Throws `invalid_request` for
     * a format that is not there.
     */
    importTemplate: async (language: Language, name: FileFormatName): Promise<FileAnswer & { content: Buffer }> => {
      const format = formats.named(name)
      return { name: `users-template.${name}`, type: format.type, content: await templateIn(language, format) }
    },
  }
}
