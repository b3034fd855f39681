import type { Steps } from './steps.js'

export type Values = Record<string, number | string | null>

export interface Order {
  column: string
  direction: 'asc' | 'desc'
}

/** The place of a UTF-16 unit among code points: surrogates stand for those behind all other units. */
const placeOf = (unit: number): number => {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** By code points, as the engines, which sort a list that has few rows: the operators of the language compare UTF-16 units. */
const compareTexts = (one: string, other: string): number => {
  const end = Math.min(one.length, other.length)
  let index = 0
  while (index < end && one.charCodeAt(index) === other.charCodeAt(index)) index++
  if (index === end) return one.length - other.length
  return placeOf(one.charCodeAt(index)) - placeOf(other.charCodeAt(index))
}

/** As the engines compare: texts by their code points, an absent value first. */
const compareValues = (one: Values[string] = null, other: Values[string] = null): number => {
  if (one === other) return 0
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  return (one ?? -Infinity) < (other ?? -Infinity) ? -1 : 1
}

export const comparing =
  (order: Order[]) =>
  (one: Values, other: Values): number => {
    for (const { column, direction } of order) {
      const difference = compareValues(one[column], other[column])
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    return 0
  }

/** Merges sorted parts in steps. */
export const sortInSteps = async <Row>(
  parts: Row[][],
  compare: (one: Row, other: Row) => number,
  steps: Steps,
): Promise<Row[]> => {
  const queue = [...parts]
  for (;;) {
    const [one = [], other] = queue.splice(0, 2)
    if (!other) return one
    const merged: Row[] = []
    let [left, right] = [0, 0]
    const merge = async (size: number): Promise<boolean> => {
      for (const end = merged.length + size; merged.length < end;) {
        const [first, second] = [one[left], other[right]]
        if (first !== undefined && (second === undefined || compare(first, second) <= 0)) {
          merged.push(first)
          left++
        } else if (second !== undefined) {
          merged.push(second)
          right++
        } else return false
      }
      return true
    }
    while (await steps.run(merge));
    queue.push(merged)
  }
}
