import { cleanCopied } from '../../../lib/copied-text.js'
import { readTextCell } from '../../../lib/csv-cells.js'
import type { ImportColumn } from '../../../schemas/import-columns.js'
import type { Language } from '../../../schemas/problems.js'
import { valueLabelOf } from '../../../schemas/value-labels.js'
import type { FileColumn } from './import-columns.js'

type Row = Partial<Record<FileColumn, string>>

const valuesOf = (language: Language): Row => ({
  userType: valueLabelOf('userType', 2, language),
  userStatus: valueLabelOf('userStatus', 1, language),
  gender: valueLabelOf('gender', 2, language),
})

/**
 * Without a password: one that everybody knows must not become that of a user. And so without `forcePasswordChange`, which needs
 * a password.
 */
const examples: Record<Language, Row> = {
  en: {
    username: 'alice.liddell',
    realName: 'Alice Liddell',
    phone: '+1 202 555 0123',
    email: 'alice.liddell@example.com',
    ...valuesOf('en'),
    remark: 'Example: an unchanged row like this is not imported',
  },
  zh: {
    username: 'zhangsan',
    realName: '张三',
    // With its country code, so that it is valid whatever `phoneRegion` is.
    phone: '+86 138 0013 8000',
    email: 'zhangsan@example.com',
    ...valuesOf('zh'),
    remark: '示例：此行不修改则不会导入',
  },
}

/** The rows of earlier templates, which people may have kept. */
const earlier: Row[] = [{ ...examples.zh, phone: '13800138000' }]

/** A row that shows how the template is filled in; blank where a column needs no value. */
export const exampleRow = (column: ImportColumn, language: Language): string => examples[language][column] ?? ''

/** Whether a row is the example, unchanged, in any language: every value of it, and no other. */
export const isExampleRow = (columns: FileColumn[], cells: string[]): boolean =>
  [...Object.values(examples), ...earlier].some(
    (example) =>
      cells.every((cell, index) => cleanCopied(readTextCell(cell)) === (example[columns[index] ?? 'unnamed'] ?? '')) &&
      // In the row itself: its last cells may be missing.
      Object.keys(example).every((column) => columns.slice(0, cells.length).includes(column as ImportColumn)),
  )
