import type { Operations, UserChangeRequest } from '../../../client/index.js'

export type User = Operations['GET /system/user/{id}']['data']

/** The fields of the form, in its order. */
export const fieldNames = [
  'username',
  'realName',
  'phone',
  'email',
  'userType',
  'gender',
  'remark',
  'roleKeys',
] as const
export type FieldName = (typeof fieldNames)[number]

/** What the form has in its fields. */
export type Draft = Record<Exclude<FieldName, 'roleKeys'>, string> & { roleKeys: readonly string[] }

export const toDraft = (user: User): Draft => ({
  username: user.username,
  realName: user.realName,
  phone: user.internationalPhone ?? user.phone ?? '',
  email: user.email ?? '',
  userType: String(user.userType),
  gender: String(user.gender),
  remark: user.remark ?? '',
  roleKeys: user.roleKeys,
})

const textOf = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : value.toSorted().join('\n')

/** The fields in which two versions differ. Roles have no order. */
export const differing = (one: Draft, other: Draft): FieldName[] =>
  fieldNames.filter((name) => textOf(one[name]) !== textOf(other[name]))

const toSent = (draft: Draft, name: FieldName) => {
  if (name === 'userType' || name === 'gender') return Number(draft[name])
  const isClearable = name === 'phone' || name === 'email' || name === 'remark'
  return isClearable && draft[name] === '' ? null : draft[name]
}

/** A change of these fields; an empty text clears what may be absent. */
export const toChange = (draft: Draft, names: readonly FieldName[]): UserChangeRequest =>
  Object.fromEntries(names.map((name) => [name, toSent(draft, name)]))
