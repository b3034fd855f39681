import type { Test } from 'tap'

/** `time` is shown as it comes; `text?` may be null. An empty `time` is a `text`. */
export type Type = 'text' | 'text?' | 'time' | 'number' | 'number?' | 'boolean' | 'list' | 'object'
/** The type of each field that a page reads, by its place: `records[].id`; the empty place is the whole. */
export type Reads = Record<string, Type>

const isOf: Record<Type, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  'text?': (value) => value === null || typeof value === 'string',
  // What is longer than this is cut off.
  time: (value) => typeof value === 'string' && /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?$/.test(value),
  number: (value) => typeof value === 'number',
  'number?': (value) => value === null || typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** All values at a place; none where a list is empty. */
const valuesAt = (data: unknown, place: string): unknown[] => {
  const parts = place.split(/\.|(?=\[\])/).filter((part) => part !== '')
  return parts.reduce<unknown[]>(
    (values, part) =>
      part === '[]'
        ? values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [undefined]))
        : values.map((value) => (value as Record<string, unknown> | undefined)?.[part]),
    [data],
  )
}

/** Asserts that an answer has every field that the page reads, in each row, and that there is a row. */
export const expectReads = (t: Test, data: unknown, reads: Reads, what: string): void => {
  for (const [place, type] of Object.entries(reads)) {
    const values = valuesAt(data, place)
    t.ok(values.length > 0, `${what}: there is a ${place}`)
    const wrong = values.find((value) => !isOf[type](value))
    t.ok(values.every(isOf[type]), `${what}: ${place} is ${type}, not ${JSON.stringify(wrong)}`)
  }
}
