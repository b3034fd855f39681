/** A repeatable sequence of random numbers (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    chance: (p: number) => next() < p,
  }
}

export type Random = ReturnType<typeof createRandom>
