import { strToU8, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { fixedParts } from './xlsx.js'
import { WorkbookFault } from './unpack.js'

/** Styles that a program can make (Excel: 65,490). */
const maxStyles = 65_536
const day = 86_400_000
/** The first day after the 29 February 1900, which only spreadsheet programs know. */
const known = 61

/** Reads a number as the date that it stands for under a style; undefined under a style that shows numbers. */
export type ReadDate = (style: number, value: number) => Date | undefined

/**
 * Which of `count` styles show dates. The library knows: it reads a sheet with one cell of each style.
 * `isFrom1904` says from which year the workbook counts days.
 */
export const readDateStyles = async (styles: Uint8Array, count: number, isFrom1904: boolean): Promise<ReadDate> => {
  if (count === 0) return () => undefined
  if (count > maxStyles) throw new WorkbookFault('workbook')
  const rows = Array.from(
    { length: count },
    (_, style) => `<row r="${style + 1}"><c r="A${style + 1}" s="${style}"><v>${known}</v></c></row>`,
  )
  const parts = {
    ...fixedParts,
    'xl/workbook.xml': fixedParts['xl/workbook.xml'].replace(
      '<sheets>',
      `<workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets>`,
    ),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  }
  const packed = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))
  const { buffer } = zipSync({ ...packed, 'xl/styles.xml': styles }, { level: 0 })
  const dates = (await readSheet(buffer)).map(([cell]) => (cell instanceof Date ? cell.getTime() : undefined))
  return (style, value) => {
    const time = dates[style]
    return time === undefined ? undefined : new Date(Math.round(time + (value - known) * day))
  }
}
