import { hash } from 'node:crypto'

const bytesPerDraw = 2
const range = 2 ** (8 * bytesPerDraw)

/**
 * Repeatable random numbers. The 32 numbers of user `index` depend only on the seed and the index, not on the number of
 * users.
 */
export const createDraws = (seed: string, index: number) => {
  const bytes = hash('sha512', `${index}:${seed}`, 'buffer')
  let offset = 0
  /** From 0 up to, but not including, 65536. */
  const draw = (): number => {
    const value = bytes.readUInt16LE(offset)
    offset += bytesPerDraw
    return value
  }
  return {
    pick: <T>(pick: Picker<T>): T => pick(draw()),
    /** From 0 up to, but not including, 1; in 4 billion steps, which takes two draws. */
    fraction: () => (draw() * range + draw()) / range ** 2,
    below: (limit: number) => Math.floor((draw() / range) * limit),
    isWithin: (share: number) => draw() < share * range,
  }
}

export type Draws = ReturnType<typeof createDraws>
export type Picker<T> = (draw: number) => T

/** Picks one of `items`, with a probability proportional to `weightOf`. */
export const createPicker = <T>(items: readonly T[], weightOf: (item: T, rank: number) => number): Picker<T> => {
  const weights = items.map(weightOf)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const choices: T[] = []
  let reached = 0
  for (const [index, item] of items.entries()) {
    reached += weights[index] ?? 0
    for (const end = Math.round((reached / sum) * range); choices.length < end;) choices.push(item)
  }
  return (draw) => choices[draw] as T
}

/** Weights as those of names and words (Zipf's law): the second item is about half as frequent as the first. */
export const byRank = (_item: unknown, rank: number): number => 1 / (rank + 1)
/** The same with weights that fall slowly, for lists whose first items are not much more frequent than others. */
export const byRankSlowly = (_item: unknown, rank: number): number => 1 / (rank + 8)
