/** Calls `listener` when `signal` is aborted; at once if it has been before, of which there is no event any more. */
export const onAbort = (signal: AbortSignal, listener: () => void): void => {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
}
