/** The caller of a route that is not open. Throws on open routes: they have no caller, even if a token was sent. */
export const callerOf = <T>({ caller }: { caller: T | undefined }): T => {
  if (caller === undefined) throw new Error('an open route has no caller')
  return caller
}
