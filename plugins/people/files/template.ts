import type { FileAnswer } from '../../../lib/send-file.js'
import { labelOf } from '../../../schemas/column-labels.js'
import { importColumns, type ImportColumn } from '../../../schemas/import-columns.js'
import type { Language } from '../../../schemas/problems.js'
import { toCsvFile } from './csv.js'
import { fileTypes, type FileFormat } from './file-types.js'
import { toXlsx } from './xlsx.js'

const toWorkbook = async (rows: string[][]): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const part of toXlsx([rows])) parts.push(part)
  return Buffer.concat(parts)
}

const writers: Record<FileFormat, (rows: string[][]) => Promise<Buffer>> = {
  csv: async (rows) => Buffer.from(toCsvFile(rows)),
  xlsx: toWorkbook,
}

/** `exampleRow`: a cell of the row that shows how the columns of an import are filled in. */
export const createTemplates = (exampleRow: (column: ImportColumn, language: Language) => string) => {
  const write = (language: Language, format: FileFormat) =>
    writers[format]([
      importColumns.map((column) => labelOf(column, language)),
      importColumns.map((column) => exampleRow(column, language)),
    ])
  /** Each is the same for everybody, and zipped once. */
  const written = new Map<string, Promise<Buffer>>()
  const templateIn = (language: Language, format: FileFormat): Promise<Buffer> => {
    const key = `${language} ${format}`
    const kept = written.get(key) ?? write(language, format)
    written.set(key, kept)
    return kept
  }
  return {
    /** A file that names the columns of an import and has one row, an example, which an import skips. */
    importTemplate: async (
      language: Language,
      format: FileFormat = 'xlsx',
    ): Promise<FileAnswer & { content: Buffer }> => ({
      name: `users-template.${format}`,
      type: fileTypes[format],
      content: await templateIn(language, format),
    }),
  }
}
