/** What may be there at once: a promise for it would cost a request more than what it waits for. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value at once, or when it is there. */
export const andThen = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
