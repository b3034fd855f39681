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

/** The words of the console, a table for each room. */
export const words = {
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

export type ConsoleWords = typeof words
