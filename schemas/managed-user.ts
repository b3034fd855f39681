import { Type, type Static } from '@sinclair/typebox'
import { enumerated, enumeratedWord, genders, userStatuses, userTypes, type EnumerationName } from './enumerations.js'
import { clearable, int32, int64, nameText, nullable, refusesNull, time } from './ref.js'
import { internationalPhone, UserRecord } from './user.js'

/** Users by id, for the paths of management. */
export const UserParameters = Type.Object({ id: int64({ minimum: 1, description: 'Id of the user', examples: [2] }) })

/** The header `If-Match` (RFC 9110 13.1.1). */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `updateTime` that was read',
      examples: ['"2026-02-01T08:00:00.000Z"'],
    }),
  ),
})

export const UserDetail = Type.Object(
  {
    ...UserRecord.properties,
    phone: nullable(Type.String(), {
      description: 'Masked without the permission `system:user:contact`',
      examples: ['13800138000'],
    }),
    internationalPhone: nullable(Type.String(), {
      ...internationalPhone,
      description: `${internationalPhone.description}; null without the permission \`system:user:contact\``,
    }),
    email: nullable(Type.String(), {
      description: 'Masked without the permission `system:user:contact`',
      examples: ['alice@example.com'],
    }),
    factorExempt: Type.Boolean({
      description: 'Whether no policy asks this account for a second factor',
      examples: [false],
    }),
    hasWayIn: Type.Boolean({
      description:
        'Whether some sign-in method of the tenant works for this user: there is a password, a contact to which codes are sent, a linked identity or a passkey. Status and ban do not count',
      examples: [true],
    }),
    notInvitable: nullable(
      Type.String({
        description:
          'Why no invitation can be sent: `service_account`, `has_password`, `not_enabled` (disabled or locked) or `not_reached` (no contact to which codes are sent); null: one can be sent',
        examples: ['has_password'],
      }),
    ),
    pausedUntil: nullable(
      time(
        'Until when somebody must wait who has entered wrong passwords or codes for this user; null: nobody must. On other devices and at other addresses the user may be able to sign in. `POST /system/user/{id}/unlock` ends it',
      ),
      { examples: [null] },
    ),
  },
  { $id: 'UserDetail', description: 'A user' },
)
export type UserDetail = Static<typeof UserDetail>

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] })
const oneOf = (title: EnumerationName, values: Record<string, number>, example: number) =>
  enumerated(title, { enum: Object.values(values), examples: [example] })

/** Fields of a user in requests. */
export const userFields = {
  username: nameText('Name for the sign-in, unique in the tenant, without blanks', { examples: ['alice'] }),
  realName: nameText('Name for people; absent for a new user means the user name', { examples: ['Alice Liddell'] }),
  phone: text(40, 'With a country code, or in the national form of the configured region', '13800138000'),
  email: text(254, 'E-mail address', 'alice@example.com'),
  gender: oneOf('Gender', genders, 0),
  userType: oneOf('UserType', userTypes, 2),
  userStatus: oneOf('UserStatus', userStatuses, 1),
  remark: text(500, 'Note for administrators', 'Back office'),
  avatar: text(60_000, 'https address or data URI of a picture', 'https://example.com/alice.png'),
}
const password = Type.String({
  maxLength: 1024,
  examples: ['a brand new kettle'],
  description:
    'Must be changed at the next sign-in, unless `forcePasswordChange` is false; without one the user is sent an invitation by mail or text message',
})
/** Roles that a user gets at once. */
export const maxRoles = 100
const roleKeys = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: maxRoles,
  uniqueItems: true,
  description: 'Keys of all roles of the user',
  examples: [['editor']],
})

export const NewUserRequest = Type.Object(
  {
    username: userFields.username,
    realName: Type.Optional(userFields.realName),
    password: Type.Optional(password),
    phone: Type.Optional(userFields.phone),
    email: Type.Optional(userFields.email),
    gender: Type.Optional(userFields.gender),
    userType: Type.Optional(userFields.userType),
    userStatus: Type.Optional(userFields.userStatus),
    roleKeys: Type.Optional(roleKeys),
    remark: Type.Optional(userFields.remark),
    avatar: Type.Optional(userFields.avatar),
    forcePasswordChange: Type.Optional(
      Type.Boolean({
        description:
          'Whether the password must be changed at the first sign-in; absent means true. `false` needs the permission `system:user:reset`, too',
        examples: [true],
      }),
    ),
    tenantId: Type.Optional(int64({ description: 'Absent means the tenant of the caller', examples: [1] })),
  },
  {
    $id: 'NewUserRequest',
    description: 'A user to add',
    examples: [{ username: 'alice', realName: 'Alice Liddell', password: 'a brand new kettle' }],
  },
)
export type NewUserRequest = Static<typeof NewUserRequest>

/** For the document. */
export const clearingRule =
  'Absent fields stay as they are. `null` clears `phone`, `email`, `avatar` and `remark`; for all other fields it is refused.'

export const UserChangeRequest = Type.Object(
  {
    username: Type.Optional(userFields.username),
    realName: Type.Optional(userFields.realName),
    phone: clearable(userFields.phone),
    email: clearable(userFields.email),
    gender: Type.Optional(userFields.gender),
    userType: Type.Optional(userFields.userType),
    userStatus: Type.Optional(userFields.userStatus),
    roleKeys: Type.Optional(roleKeys),
    remark: clearable(userFields.remark),
    avatar: clearable(userFields.avatar),
    password: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Refused: send it to `POST /system/user/{id}/password`' }),
    ),
    factorExempt: Type.Optional(
      Type.Boolean({
        description:
          'Whether no policy asks this account for a second factor, for accounts of programs; only system administrators change it',
        examples: [true],
      }),
    ),
    tenantId: Type.Optional(int64({ description: 'Refused unless it is the tenant of the user', examples: [1] })),
  },
  {
    $id: 'UserChangeRequest',
    description: `${clearingRule} The mask of the stored phone number or e-mail address means that it stays; another masked one is refused`,
    examples: [{ realName: 'Alice Liddell', remark: null }],
    [refusesNull]: true,
  },
)
export type UserChangeRequest = Static<typeof UserChangeRequest>

export const UserPasswordRequest = Type.Object(
  {
    password: Type.String({ ...password, description: 'The new password' }),
    endTokens: Type.Optional(
      Type.Boolean({ description: 'Whether the API tokens of the user end, too; absent means true', examples: [true] }),
    ),
  },
  { $id: 'UserPasswordRequest' },
)
export const UserRolesRequest = Type.Object({ roleKeys }, { $id: 'UserRolesRequest' })

export const batchActions = ['delete', 'disable', 'enable', 'unlock', 'invite', 'addRole'] as const
/** Users that are invited by one request: as many messages wait at a time. */
export const maxInvited = 100
export type BatchAction = (typeof batchActions)[number]
export const UserBatchRequest = Type.Object(
  {
    ids: Type.Array(int64({ minimum: 1 }), {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description: 'Ids of users',
      examples: [[2]],
    }),
    action: enumeratedWord<BatchAction>('BatchAction', { enum: [...batchActions], examples: ['disable'] }),
    roleKey: Type.Optional(
      Type.String({ description: 'For `addRole`: the key of the role, which the tenant of each user has to know' }),
    ),
  },
  { $id: 'UserBatchRequest' },
)
export type UserBatchRequest = Static<typeof UserBatchRequest>

const leftOut = (why: string) =>
  Type.Array(int64({ examples: [2] }), {
    description: `Users who are sent no invitation because ${why}`,
    examples: [[]],
  })

export const UserBatchOutcome = Type.Object(
  {
    invited: int32({ description: 'Users who are sent an invitation; 0 for other actions', examples: [0] }),
    withPassword: leftOut('they have a password'),
    recentlyInvited: leftOut('they were sent one within the last minute'),
  },
  { $id: 'UserBatchOutcome', description: 'What a change of many users has led to' },
)
export type UserBatchOutcome = Static<typeof UserBatchOutcome>
