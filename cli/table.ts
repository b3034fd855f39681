import { toOneLine } from '../lib/one-line.js'

type Cell = string | number

/** Cells of unknown origin cannot break the row or control the terminal. */
const toText = (cell: Cell): string => toOneLine(String(cell))

/** One row of a list, with tabs between its cells. */
export const toRow = (cells: Cell[]): string => cells.map(toText).join('\t')

/** Characters that take two columns of a terminal, such as Chinese ones (Unicode Standard Annex 11, wide and full-width). */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g
const widthOf = (text: string): number => text.length + (text.match(wide)?.length ?? 0)

/** The rows of a list: for a person at a terminal columns with headings, for programs cells between tabs without. */
export const toList = (headings: string[], rows: Cell[][]): string[] => {
  if (!process.stdout.isTTY) return rows.map(toRow)
  if (rows.length === 0) return []
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map((cells) => cells.map(toText))]
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))))
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))
  return lines.map((cells) => cells.map(padded).join('  ').trimEnd())
}
