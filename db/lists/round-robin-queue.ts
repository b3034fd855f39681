/** A queue that serves users one after the other (round-robin): a user with many waiting requests delays nobody else. */
export const createRoundRobinQueue = <Waiter extends { userId: number }>() => {
  /** The waiting requests of each user, in the order in which the users are served. */
  const waiting = new Map<number, Waiter[]>()

  /** Returns whether the request was waiting. If so, its user comes after all others with the next one. */
  const remove = (waiter: Waiter): boolean => {
    const ofUser = waiting.get(waiter.userId) ?? []
    const rest = ofUser.filter((other) => other !== waiter)
    if (rest.length === ofUser.length) return false
    waiting.delete(waiter.userId)
    if (rest.length > 0) waiting.set(waiter.userId, rest)
    return true
  }

  return {
    remove,
    all: (): Waiter[] => [...waiting.values()].flat(),
    add: (waiter: Waiter) => void waiting.set(waiter.userId, [...(waiting.get(waiter.userId) ?? []), waiter]),

    /** Removes and returns the first request of the user who is next. */
    next(): Waiter | undefined {
      const [first] = waiting.values().next().value ?? []
      if (first) remove(first)
      return first
    },
  }
}
