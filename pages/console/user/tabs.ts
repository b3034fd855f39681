import { brought } from '../guests.js'
import { words } from '../words.js'
import { Audit } from './audit.js'
import { Factors } from './factors.js'
import { Identities } from './identities.js'
import { Profile } from './profile.js'
import { Sessions } from './sessions.js'
import { SignIns } from './sign-ins.js'
import type { Tab } from './user-page.js'

/** A function, because the words come later than the module. */
export const tabs = (): Tab[] => [
  { path: '', text: words.user.profile, component: Profile },
  { path: 'factors', text: words.user.factors, isOfPeople: true, component: Factors },
  { path: 'sessions', text: words.user.sessions, needs: 'system:session:list', isOfPeople: true, component: Sessions },
  {
    path: 'identities',
    text: words.user.identities,
    needs: 'system:user:edit',
    isOfPeople: true,
    component: Identities,
  },
  { path: 'sign-ins', text: words.user.signIns, needs: 'system:loginlog:list', isOfPeople: true, component: SignIns },
  ...brought.flatMap(({ userTabs = [] }) => userTabs),
  { path: 'audit', text: words.user.audit, needs: 'system:audit:list', component: Audit },
]
