import type { OwnRule } from '../../lib/violations.js'
import type { ViolationRule } from '../../schemas/violations.js'

/** Why a workbook is refused: texts that only workbooks have, and rules of the house. */
export const rules = {
  workbook: { en: 'is not an .xlsx workbook', zh: '不是有效的 .xlsx 文件' },
  old: {
    en: 'is an old or encrypted workbook: save it as .xlsx without a password',
    zh: '是旧版或加密的 Excel 文件，请另存为不带密码的 .xlsx 文件',
  },
  unpacked: { en: 'must have at most {limit} MiB when unpacked', zh: '解压后不能超过 {limit} MiB' },
  slow: { en: 'takes too long to read: save it as CSV UTF-8', zh: '读取时间过长，请另存为 CSV UTF-8' },
  rows: 'workbook_rows',
  columns: 'workbook_columns',
} as const satisfies Record<string, OwnRule | ViolationRule>

export type WorkbookRule = keyof typeof rules
