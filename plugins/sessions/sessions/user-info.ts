import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { shownColumns } from '../../../db/repositories/user-rows.js'
import { Prepared } from '../../../schemas/prepared.js'
import { UserInfo, userTypes } from '../../../schemas/user.js'

type OwnField = keyof UserInfo & keyof typeof shownColumns
type OwnFields = Pick<SessionOwner['user'], OwnField>

/** Fields of the schema `UserInfo` that are columns of a user. */
const ownFields = Object.keys(UserInfo.properties).filter((name): name is OwnField => name in shownColumns)

const pickOwn = (user: OwnFields): OwnFields => {
  const picked: Partial<Record<OwnField, unknown>> = {}
  for (const name of ownFields) picked[name] = user[name]
  return picked as OwnFields
}

/** An account without a password has a time, too: that of its creation. */
const passwordTimeOf = ({ passwordHash, passwordTime }: SessionOwner['user']): string | null =>
  passwordHash === null || passwordTime === null ? null : new Date(passwordTime).toISOString()

/** The `UserInfo` of a signed-in user. The schema decides which columns are shown. */
export const toUserInfo = ({ session, user, tenant, grants }: SessionOwner): UserInfo => ({
  ...pickOwn(user),
  internationalPhone: user.phoneKey,
  passwordTime: passwordTimeOf(user),
  userId: user.id,
  tenantId: tenant.id,
  tenantName: tenant.name,
  roleIds: grants.roleIds,
  roleKeys: grants.roleKeys,
  permissions: grants.permissions,
  admin: user.userType === userTypes.systemAdmin,
  tenantAdmin: user.userType === userTypes.tenantAdmin,
  userClient: session.userClient,
  loginTime: session.createTime,
  loginIp: session.loginIp,
  createTime: new Date(user.createTime).toISOString(),
})

/** Longer pictures are not kept with the JSON of each session: the cache holds them once for a user. */
const maxKeptPicture = 2000

const prepared = new WeakMap<SessionOwner, Prepared<UserInfo>>()
/** What comes before and after a long picture. */
const around = new WeakMap<SessionOwner, string[]>()

/** In the JSON of an object with an empty picture, and nowhere else: in a text the quotes would be escaped. */
const emptyPicture = '"avatar":""'

const withLongPicture = (owner: SessionOwner, picture: string): Prepared<UserInfo> => {
  const parts = around.get(owner) ?? JSON.stringify({ ...toUserInfo(owner), avatar: '' }).split(emptyPicture)
  around.set(owner, parts)
  return new Prepared(parts.join(`"avatar":${JSON.stringify(picture)}`))
}

/** The same as JSON. A cached owner is replaced when anything of it changes, so its JSON is made once. */
export const prepareUserInfo = (owner: SessionOwner): Prepared<UserInfo> => {
  const { avatar } = owner.user
  if (avatar !== null && avatar.length > maxKeptPicture) return withLongPicture(owner, avatar)
  const known = prepared.get(owner) ?? new Prepared<UserInfo>(JSON.stringify(toUserInfo(owner)))
  prepared.set(owner, known)
  return known
}
