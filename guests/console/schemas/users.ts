import { Type, type Static } from '@sinclair/typebox'
import { enumerated } from '../../../schemas/enumerations.js'
import { NewUserRequest, UserChangeRequest } from '../../../schemas/managed-user.js'
import { clearable, int32, int64, nullable } from '../../../schemas/ref.js'
import { userStatuses } from '../../../schemas/user.js'

const { phone, email, gender, userType, userStatus, remark } = NewUserRequest.properties
const required = Type.Required(Type.Pick(NewUserRequest, ['username', 'realName', 'password'])).properties

const userId = int64({ minimum: 1, description: 'Id of the user', examples: [2] })

/** `?id=` of requests about one user. */
export const CompatUserQuery = Type.Object({ id: userId })

/** A user belongs to one tenant; the front end sends it in two fields. */
const tenantFields = {
  tenantId: Type.Optional(int64({ description: 'Absent means `tenantIds`', examples: [1] })),
  tenantIds: Type.Optional(
    Type.Array(int64(), { maxItems: 1000, description: 'At most the one tenant of the user', examples: [[1]] }),
  ),
}
const notStored = Type.Optional(
  Type.Unsafe<unknown>({
    type: ['string', 'number', 'array', 'null'],
    description: 'Not stored: a value that is not empty is refused',
  }),
)
const fieldsNotStored = { idCard: notStored, regionCode: notStored, postIds: notStored }

export const CompatNewUser = Type.Object(
  {
    ...required,
    ...tenantFields,
    userType,
    phone,
    email,
    gender,
    userStatus,
    remark,
    ...fieldsNotStored,
  },
  { $id: 'CompatNewUser', description: 'A user to add; fields other than the first three may be null' },
)
export type CompatNewUser = Static<typeof CompatNewUser>

export const CompatUserChange = Type.Object(
  {
    id: userId,
    ...tenantFields,
    username: UserChangeRequest.properties.username,
    realName: UserChangeRequest.properties.realName,
    userType,
    gender,
    userStatus,
    phone: clearable(phone),
    email: clearable(email),
    remark: clearable(remark),
    ...fieldsNotStored,
  },
  {
    $id: 'CompatUserChange',
    description:
      'The whole record as it was read. A phone number or e-mail address that is the mask of the stored one means that it stays; so does a date that stands for the stored number. Empty contacts and remarks are cleared.',
  },
)
export type CompatUserChange = Static<typeof CompatUserChange>

const nothing = Type.Null({ description: 'Not stored' })

export const CompatUser = Type.Object(
  {
    id: int64({ examples: [2] }),
    tenantId: int64({ examples: [1] }),
    tenantIds: Type.Array(int64(), { description: 'The one tenant of the user', examples: [[1]] }),
    tenantName: Type.String({ examples: ['Default'] }),
    username: Type.String({ examples: ['alice'] }),
    realName: Type.String({ examples: ['Alice Liddell'] }),
    userType: enumerated('UserType', { examples: [2] }),
    gender: enumerated('Gender', { examples: [0] }),
    phone: nullable(Type.String(), { description: 'Masked without the permission `system:user:contact`' }),
    email: nullable(Type.String(), { description: 'Masked without the permission `system:user:contact`' }),
    idCard: nothing,
    regionCode: nothing,
    userStatus: enumerated('UserStatus', { examples: [1] }),
    postIds: Type.Array(int64(), { description: 'Always empty' }),
    remark: nullable(Type.String()),
  },
  { $id: 'CompatUser', description: 'A user, as a form edits it' },
)
export type CompatUser = Static<typeof CompatUser>

export const CompatStatusQuery = Type.Object({
  id: userId,
  status: int32({
    enum: [userStatuses.disabled, userStatuses.normal],
    description: '0 disables, 1 enables',
    examples: [0],
  }),
})

export const CompatPasswordQuery = Type.Object({
  id: userId,
  password: Type.String({ maxLength: 1024, description: 'The new password', examples: ['a brand new kettle'] }),
})

export const CompatIds = Type.Array(int64({ minimum: 1 }), {
  $id: 'CompatIds',
  minItems: 1,
  maxItems: 1000,
  uniqueItems: true,
  description: 'Ids of users',
  examples: [[2]],
})
