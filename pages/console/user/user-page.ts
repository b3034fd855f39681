import type { ComponentType } from 'preact'
import type { Permission } from '../../../client/index.js'
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

export interface Tab {
  /** Below the address of the user. */
  path: string
  text: string
  needs?: Permission
  /** Not for service accounts, which have nothing of it. */
  isOfPeople?: true
  component: ComponentType<TabProps>
}
