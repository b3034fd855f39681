/**
 * How many characters must be added, left out, replaced or swapped with the next one to turn one text into the other (optimal string
 * alignment). Takes as long as the product of their lengths.
 */
export const editDistance = (one: string, other: string): number => {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= other.length; column++) {
      const replaced = at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Infinity
      next.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1))
    }
  }
  return at(one.length, other.length)
}
