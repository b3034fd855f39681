import type { User } from './draft.js'
import type { Outcome } from '../../shared/shell/outcome.js'

/** What each tab of the page gets. */
export interface TabProps {
  user: User
  /** After a change: the present version. */
  setUser: (user: User) => void
  /** Reads the present version after an action that does not answer with it. */
  reload: () => Promise<void>
  outcome: Outcome
}
