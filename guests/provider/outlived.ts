import type { EndReason } from '../../db/repositories/sessions.js'

/** Whether offline tokens outlive such an end of the session in which they were given. Without a reason it has expired. */
export const isOutlived = (reason: EndReason | null | undefined): boolean =>
  reason === null || reason === undefined || reason === 'logout' || reason === 'replaced'
