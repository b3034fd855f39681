/** Keeps items of a long command outside the memory. It disappears when the process ends, for whatever reason. */
export interface TemporaryFile<Item> {
  add(items: Item[]): void
  count(): number
  /** The items from `start` to before `end`, as `slice` of an array. */
  slice(start: number, end: number): Item[]
  /** The line that has claimed a name. */
  claimedBy(name: string): number | undefined
  /** Claims names for a line. Throws when one of them has been claimed already. */
  claim(names: string[], line: number): void
  close(): void
}
