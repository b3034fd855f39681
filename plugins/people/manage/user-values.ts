import { editableFields } from '../../../db/repositories/user-rows.js'
import type { User, UserChange } from '../../../db/repositories/users.js'
import { areSame } from '../../../lib/same-items.js'
import type { ManagedUser } from './change.js'

interface Described {
  user: ManagedUser['user']
  grants: Pick<ManagedUser['grants'], 'roleKeys'>
}

/** What the audit trail keeps of an account: everything that can be changed, but no password. */
export const valuesOf = ({ user, grants }: Described) => ({
  ...Object.fromEntries(editableFields.map((name) => [name, user[name]])),
  forcePasswordChange: user.forcePasswordChange,
  roleKeys: grants.roleKeys,
})

/** A phone number is compared by two columns. */
const comparedFields = editableFields.filter((name) => name !== 'phone')

const isSamePhone = ({ phone, phoneKey }: User, wanted: UserChange['phone']): boolean =>
  wanted === undefined || ((wanted?.key ?? null) === phoneKey && (wanted?.display ?? null) === phone)

/** Whether a change leaves an account as it is. Absent fields stay. */
export const changesNothing = (
  { user, grants }: ManagedUser,
  change: UserChange,
  roleKeys: string[] = grants.roleKeys,
): boolean =>
  comparedFields.every((name) => change[name] === undefined || change[name] === user[name]) &&
  isSamePhone(user, change.phone) &&
  areSame(roleKeys, grants.roleKeys)
