import type { NameHistory } from '../throttle/attempts/name-history.js'
import type { SignInEvent } from '../record/login-log/login-log.js'
import type { AuthenticatedUser, UseProof } from '../sessions/sessions/start.js'
import type { ProvedFactor } from '../identity/second-factor/factors.js'
import type { FirstStep } from '../identity/second-factor/tickets.js'

/** Who somebody has proved to be, and how: by a first step alone, or with a second one. No session stands behind it yet. */
export interface Proved {
  user: AuthenticatedUser
  step: FirstStep
  /** Whether the first method counts as two factors by itself. */
  isTwoFactors: boolean
  /** The second factor, at the second step. */
  factor?: ProvedFactor | undefined
  /** Whether the browser skips the second step from now on. */
  trustsDevice: boolean
  /** What the login log says of it. */
  event: SignInEvent
  /** What was stored about the submitted name. */
  history: NameHistory
  /** Comes first in the transaction of the session. */
  use?: UseProof | undefined
  /** Uses the ticket of the first step up unless `work` fails. */
  spend?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
}
