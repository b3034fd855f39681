/**
 * The first fault that makes a database unusable, for example a failed write to the disk: after it nothing is written
 * and no commit is reported, until the process starts anew.
 */
export const createFailure = () => {
  let fault: Error | undefined
  const { promise: happened, resolve: tell } = Promise.withResolvers<Error>()
  return {
    /** Resolves with the fault when it happens. */
    happened,
    current: (): Error | undefined => fault,
    /** Throws the fault, if there is one. */
    check(): void {
      if (fault) throw fault
    },
    /** Records a fault and returns the first one. */
    fail(error: Error): Error {
      fault ??= error
      tell(fault)
      return fault
    },
  }
}

export type Failure = ReturnType<typeof createFailure>
