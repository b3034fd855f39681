/**
 * How many characters must be added, left out, replaced or swapped with the next one to turn one text into the other (optimal string
 * alignment). Takes as long as the product of their lengths.
 */
const editDistance = (one: string, other: string): number => {
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

/**
 * The name among `known` that `text` was probably meant to be: the one with the fewest typing errors, of at most `maxSlips` for that name;
 * undefined if none is so near.
 */
export const nearestName = <Name extends string>(
  text: string,
  known: readonly Name[],
  maxSlips: (name: Name) => number,
): Name | undefined => {
  let nearest: { name: Name; slips: number } | undefined
  for (const name of known) {
    const allowed = maxSlips(name)
    // Each further character is an error of its own; a long text is not compared.
    if (Math.abs(text.length - name.length) > allowed) continue
    const slips = editDistance(text, name)
    if (slips <= allowed && slips < (nearest?.slips ?? Infinity)) nearest = { name, slips }
  }
  return nearest?.name
}
