import { Type, type Static } from '@sinclair/typebox'
import { enumerated } from './enumerations.js'
import { pageOf, pagingParameters } from './paging.js'
import { filterText, int64, nullable, ref, time, yesOrNo } from './ref.js'

export { userStatuses, userTypes } from './enumerations.js'

const userType = enumerated('UserType', { examples: [2] })
const userStatus = enumerated('UserStatus', { examples: [1] })
const gender = enumerated('Gender', { examples: [0] })
const permissions = Type.Array(Type.String(), {
  description: 'Permissions; `*` stands for any segment',
  examples: [['system:user:list']],
})

export const UserRecord = Type.Object(
  {
    id: int64({ examples: [1] }),
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
    username: Type.String({ examples: ['alice'] }),
    realName: Type.String({ examples: ['Alice Liddell'] }),
    userType,
    gender,
    phone: nullable(Type.String({ description: 'Masked', examples: ['138******8000'] })),
    email: nullable(Type.String({ description: 'Masked', examples: ['a******e@example.com'] })),
    avatar: nullable(
      Type.String({ description: 'In pages, a data URI of more than 2,000 characters only with `avatars=true`' }),
    ),
    userStatus,
    forcePasswordChange: Type.Boolean(),
    roleKeys: Type.Array(Type.String(), { examples: [['admin']] }),
    remark: nullable(Type.String()),
    hasSecondFactor: Type.Boolean({
      description: 'Whether there is an authenticator app or a passkey',
      examples: [false],
    }),
    bannedUntil: nullable(
      time('Until then the user cannot sign in; null: no ban. In the year 9999: until somebody lifts it'),
      { examples: [null] },
    ),
    invitedTime: nullable(
      time('When the user was last invited; null once the user has a password or has signed in, and for others'),
      { examples: [null] },
    ),
    lastLoginTime: nullable(time('Last successful sign-in')),
    lastLoginIp: nullable(Type.String({ examples: ['127.0.0.1'] })),
    loginCount: int64({ examples: [3] }),
    createTime: time('Creation of the account'),
    updateTime: time('Last change of the account'),
  },
  { $id: 'UserRecord', description: 'A row of the user list; phone and e-mail are masked' },
)
export type UserRecord = Static<typeof UserRecord>

/** Columns by which the list can be sorted: all that have a single value. */
export type SortColumn = Exclude<keyof UserRecord, 'roleKeys'>
export const sortColumns = Object.keys(UserRecord.properties).filter((name) => name !== 'roleKeys') as SortColumn[]

/**
 * The columns of an export, in order, each as Chinese front ends call it. `roles` are the role keys and `tenant` is the name of the
 * tenant; all others are fields of the record.
 */
export const exportColumns = {
  id: '编号',
  username: '用户名',
  realName: '姓名',
  phone: '手机号',
  email: '邮箱',
  roles: '角色',
  userType: '用户类型',
  tenant: '租户',
  userStatus: '用户状态',
  gender: '性别',
  remark: '备注',
  avatar: '头像',
  lastLoginTime: '最后登录时间',
  lastLoginIp: '最后登录地址',
  loginCount: '登录次数',
  createTime: '创建时间',
  updateTime: '更新时间',
  bannedUntil: '封禁至',
  hasSecondFactor: '第二步验证',
} as const satisfies Partial<Record<keyof UserRecord | 'roles' | 'tenant', string>>
export type ExportColumn = keyof typeof exportColumns

export const UserPage = pageOf(ref(UserRecord), 'UserPage')
export type UserPage = Static<typeof UserPage>

const filterTime = (description: string) =>
  Type.String({
    maxLength: 40,
    description: `${description}: RFC 3339 date-time, or a date such as 2026-02-01 in the time zone of the service`,
  })

export const UserQuery = Type.Object({
  ...pagingParameters,
  username: filterText('Contained in the user name, case-insensitive'),
  realName: filterText('Contained in the real name, case-insensitive'),
  keyword: filterText('Contained in the user name or the real name, case-insensitive'),
  search: filterText(
    'Contained in the user name or the real name, case-insensitive, or equal to the e-mail address or, in any spelling, the phone number; without `system:user:contact` only names are searched',
  ),
  role: filterText('Users who have the role with this key'),
  phone: filterText('Equal to the phone number; needs `system:user:contact`'),
  email: filterText('Equal to the e-mail address, case-insensitive; needs `system:user:contact`'),
  userStatus: Type.Optional(enumerated('UserStatus', { description: 'Equal to the status' })),
  userType: Type.Optional(enumerated('UserType', { description: 'Equal to the type' })),
  hasSecondFactor: yesOrNo('Whether there is an authenticator app or a passkey'),
  invited: yesOrNo('Whether the user has been invited and has not come yet'),
  hasSignedIn: yesOrNo('Whether the user has ever signed in'),
  tenantId: Type.Optional(
    int64({
      description: 'Equal to the id of the tenant; other tenants than those that the caller may see are never listed',
    }),
  ),
  createTimeFrom: Type.Optional(filterTime('Created at this time or later')),
  createTimeTo: Type.Optional(filterTime('Created at this time or earlier; a date includes its whole day')),
  contacts: yesOrNo('`true` shows phone numbers and e-mail addresses whole; needs `system:user:contact`'),
  avatars: yesOrNo(
    '`true` returns all pictures. Otherwise `avatar` is null for data URIs of more than 2,000 characters; addresses are always returned',
  ),
})
export type UserQuery = Static<typeof UserQuery>

/** A phone number as no two countries share it. */
export const internationalPhone = {
  description: 'The phone number with its country code (E.164)',
  examples: ['+8613800138000'],
}

export const UserInfo = Type.Object(
  {
    userId: int64({ examples: [1] }),
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
    username: Type.String({ examples: ['alice'] }),
    realName: Type.String({ examples: ['Alice Liddell'] }),
    userType,
    userStatus,
    gender,
    phone: nullable(Type.String({ examples: ['13800138000'] })),
    internationalPhone: nullable(Type.String(), internationalPhone),
    email: nullable(Type.String({ examples: ['alice@example.com'] })),
    avatar: nullable(Type.String()),
    forcePasswordChange: Type.Boolean(),
    passwordTime: nullable(time('When the password was set; null without one, or where it is not known')),
    roleIds: Type.Array(int64(), { examples: [[1]] }),
    roleKeys: Type.Array(Type.String(), { examples: [['admin']] }),
    permissions,
    admin: Type.Boolean({ description: 'Whether the user is a system administrator' }),
    tenantAdmin: Type.Boolean({ description: 'Whether the user is an administrator of the tenant' }),
    userClient: Type.String({ examples: ['pc'] }),
    loginTime: int64({ description: 'Epoch milliseconds', examples: [1770000000000] }),
    loginIp: Type.String({ examples: ['127.0.0.1'] }),
    createTime: time('Creation of the account'),
  },
  { $id: 'UserInfo', description: 'The signed-in user, unmasked' },
)
export type UserInfo = Static<typeof UserInfo>

export const Permissions = Type.Array(Type.String(), {
  $id: 'Permissions',
  description: 'Permissions of the caller; `*` stands for any segment',
  examples: [['*:*:*']],
})
