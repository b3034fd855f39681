/** Keeps items of a long command outside the memory. It disappears when the process ends, for whatever reason. */
export interface TemporaryFile<Item> {
  add(items: Item[]): void
  /** The items, `size` at a time. */
  batches(size: number): Generator<Item[]>
  /** Whether a name has been claimed. */
  has(name: string): boolean
  /** Claims names. Throws when one of them has been claimed already. */
  claim(names: string[]): void
  close(): void
}
