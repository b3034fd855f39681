/** A turn that one at a time may have; the others get it in the order in which they asked. */
export const createMutex = () => {
  let isTaken = false
  const waiting: (() => void)[] = []
  return {
    isTaken: (): boolean => isTaken,
    async acquire(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    release(): void {
      const next = waiting.shift()
      // Handed over without a gap: whoever asks meanwhile comes after.
      if (next) next()
      else isTaken = false
    },
  }
}
