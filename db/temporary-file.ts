/** Keeps what a command needs for a while outside the memory. Nothing of it is left, however the process ends. */
export interface TemporaryFile<Item> {
  add(items: Item[]): void
  /** What was added, `size` at a time. */
  batches(size: number): Generator<Item[]>
  /** Whether the name has been claimed. */
  has(name: string): boolean
  /** Throws when one of them has been claimed. */
  claim(names: string[]): void
  close(): void
}
