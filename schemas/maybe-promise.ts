/** A value that is often available at once. A promise for it would cost a request more than the work itself. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with the value, at once if it is available. */
export const andThen = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
