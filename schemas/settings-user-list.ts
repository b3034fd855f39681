import { Type } from '@sinclair/typebox'
import { nullable } from './ref.js'

export const UserListSettings = Type.Object(
  {
    memoryMiB: nullable(Type.Integer({ minimum: 1 }), {
      default: null,
      description:
        'Memory of the lists that answer pages of users, four bytes for each user in a list; `null` means three lists of all users, at least 24 MiB and at most a quarter of the memory that the process may use. A list that does not fit is read again for each page',
    }),
  },
  { additionalProperties: false, default: {}, description: 'The user list.' },
)
