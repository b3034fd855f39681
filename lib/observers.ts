/** Tells listeners about events, such as metrics about sign-ins. Without a listener it costs nothing. */
export const createObservers = <T extends unknown[]>() => {
  const listeners: ((...event: T) => void)[] = []
  return {
    add: (listener: (...event: T) => void): void => void listeners.push(listener),
    tell(...event: T): void {
      for (const listener of listeners) listener(...event)
    },
  }
}
