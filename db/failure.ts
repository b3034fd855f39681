/**
 * The first fault after which a database is not written to any more, and nothing that it has written is answered for:
 * for example a disk that did not take what it was given. It lasts until the process starts anew.
 */
export const createFailure = () => {
  let fault: Error | undefined
  let tell: (fault: Error) => void = () => undefined
  const happened = new Promise<Error>((resolve) => (tell = resolve))
  return {
    /** Resolves with the fault, once there is one. */
    happened,
    current: (): Error | undefined => fault,
    /** Throws the fault, once there is one. */
    check(): void {
      if (fault) throw fault
    },
    /** Only the first counts, which is returned. */
    fail(error: Error): Error {
      fault ??= error
      tell(fault)
      return fault
    },
  }
}

export type Failure = ReturnType<typeof createFailure>
