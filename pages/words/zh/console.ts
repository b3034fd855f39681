import type { ConsoleWords } from '../en/console.js'
import { audit } from './console/audit.ts'
import { common } from './console/common.ts'
import { importing } from './console/import.ts'
import { list } from './console/list.ts'
import { overview } from './console/overview.ts'
import { roleChoice } from './console/role-choice.ts'
import { roles } from './console/roles.ts'
import { sessions } from './console/sessions.ts'
import { signIns } from './console/sign-ins.ts'
import { tenants } from './console/tenants.ts'
import { user } from './console/user.ts'
import { users } from './console/users.ts'

export { frame } from './frame.ts'
export { questions } from './questions.ts'

export const words: ConsoleWords = {
  audit,
  common,
  import: importing,
  list,
  overview,
  roleChoice,
  roles,
  sessions,
  signIns,
  tenants,
  user,
  users,
}
