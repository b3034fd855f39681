import type { CompatNewUser, CompatUser, CompatUserChange } from './schemas/users.js'
import type { UserChangeRequest, UserDetail } from '../../schemas/managed-user.js'
import { userTypes } from '../../schemas/user.js'
import { invalidField, isProblem } from '../../lib/problem.js'
import type { Management } from '../../plugins/people/manage/management.js'
import type { Manager } from '../../plugins/people/manage/policy.js'
import { namesRow } from './named-row.js'
import { isUnchanged } from './unchanged.js'
import { rules } from './rules.js'

/** Reads the two fields that name the tenant of a user. */
const tenantOf = ({ tenantId, tenantIds = [] }: Pick<CompatNewUser, 'tenantId' | 'tenantIds'>): number | undefined => {
  const named = new Set([...(tenantId === undefined ? [] : [tenantId]), ...tenantIds])
  if (named.size > 1) throw invalidField('tenantIds', rules.oneTenant)
  return [...named][0]
}

/** Fields of the form for which there is no place. Throws `invalid_request` for one that is filled in. */
const checkNotStored = (sent: Pick<CompatNewUser, 'idCard' | 'regionCode' | 'postIds'>): void => {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === null ||
    (Array.isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '')
  for (const field of ['idCard', 'regionCode', 'postIds'] as const)
    if (!isEmpty(sent[field])) throw invalidField(field, rules.notStored)
}

const numbers = ['userType', 'gender', 'userStatus'] as const
const texts = ['username', 'realName', 'phone', 'email', 'remark'] as const

/** Keys of the roles of new users by their type: the form has no field for them. */
export type RolesOfNewUsers = Record<Exclude<keyof typeof userTypes, 'service'>, string[]>

/** The field under which `management.add` names the roles: the sender has chosen the type alone. */
const rolesField = 'rolesOfType'

const typeOf = (userType: number): keyof RolesOfNewUsers =>
  (['systemAdmin', 'tenantAdmin'] as const).find((name) => userTypes[name] === userType) ?? 'user'

/** Lets a fault of the roles be one of the type, and says which setting names roles that the tenant does not have. */
const aboutType = async <T>(work: Promise<T>, type: keyof RolesOfNewUsers): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const fault = isProblem(error) ? error.details.faults?.find(({ field }) => field === rolesField) : undefined
    if (fault === undefined) throw error
    const isUnknown = fault.rule === 'unknown_role_keys'
    const setting = `compat.rolesOfNewUsers.${type}`
    throw invalidField('userType', isUnknown ? rules.roleOfType : fault.rule, { ...fault.parameters, setting })
  }
}

/** The form with which the front end adds and edits a user. */
export const createUserForm = (
  management: Pick<Management, 'get' | 'add' | 'edit'>,
  rolesOfNewUsers: RolesOfNewUsers,
) => {
  /** The fields that differ from what is shown. */
  const changesOf = (sent: CompatUserChange, shown: UserDetail): UserChangeRequest => {
    const changes: UserChangeRequest = {}
    for (const name of texts) {
      const value = sent[name]
      if (value === undefined || value === shown[name]) continue
      if (value !== null && isUnchanged(value, shown[name])) continue
      Object.assign(changes, { [name]: value })
    }
    for (const name of numbers) if (sent[name] !== undefined && sent[name] !== shown[name]) changes[name] = sent[name]
    const tenantId = tenantOf(sent)
    if (tenantId !== undefined && tenantId !== shown.tenantId) throw invalidField('tenantId', rules.otherTenant)
    return changes
  }

  return {
    async add(actor: Manager, sent: CompatNewUser): Promise<void> {
      checkNotStored(sent)
      const { username, realName, password, userType, phone, email, gender, userStatus, remark } = sent
      const fields = { username, realName, password, userType, phone, email, gender, userStatus, remark }
      const type = typeOf(userType ?? userTypes.user)
      const roleKeys = userType === userTypes.service ? [] : rolesOfNewUsers[type]
      const wanted = { ...fields, tenantId: tenantOf(sent), roleKeys }
      await aboutType(management.add(actor, wanted, { rolesField }), type)
    },

    /** With more fields than `CompatUser` has, which are left out of the answer. */
    get: (actor: Manager, id: number): Promise<CompatUser> =>
      namesRow(async () => {
        const user = await management.get(actor, id)
        return { ...user, tenantIds: [user.tenantId], idCard: null, regionCode: null, postIds: [] }
      }),

    /** Changes what differs from the stored record. */
    edit: (actor: Manager, sent: CompatUserChange): Promise<void> =>
      namesRow(async () => {
        checkNotStored(sent)
        // Compared with what the caller is shown: the answer must not confirm a contact that is masked.
        await management.edit(actor, sent.id, changesOf(sent, await management.get(actor, sent.id)))
      }),
  }
}
