import type { ComponentType } from 'preact'
import type { Permission } from '../../../client/index.js'
import { words } from '../words.js'
import { Audit } from './audit.js'
import { Factors } from './factors.js'
import { Identities } from './identities.js'
import { Profile } from './profile.js'
import { Sessions } from './sessions.js'
import { SignIns } from './sign-ins.js'
import type { TabProps } from './user-page.js'

export interface Tab {
  /** Below the address of the user. */
  path: string
  text: string
  needs?: Permission
  component: ComponentType<TabProps>
}

/** A function, because the words come later than the module. */
export const tabs = (): Tab[] => [
  { path: '', text: words.user.profile, component: Profile },
  { path: 'factors', text: words.user.factors, component: Factors },
  { path: 'sessions', text: words.user.sessions, needs: 'system:session:list', component: Sessions },
  { path: 'identities', text: words.user.identities, needs: 'system:user:edit', component: Identities },
  { path: 'sign-ins', text: words.user.signIns, needs: 'system:loginlog:list', component: SignIns },
  { path: 'audit', text: words.user.audit, needs: 'system:audit:list', component: Audit },
]
