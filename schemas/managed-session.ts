import { Type, type Static } from '@sinclair/typebox'
import { orderByColumn, pageOf, pagingParameters } from './paging.js'
import { filterText, int64, ref } from './ref.js'
import { SessionRecord } from './session.js'

export const ManagedSession = Type.Object(
  {
    ...SessionRecord.properties,
    userId: int64({ examples: [2] }),
    username: Type.String({ examples: ['alice'] }),
    realName: Type.String({ examples: ['Alice Liddell'] }),
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
  },
  { $id: 'ManagedSession', description: 'A live session of a user' },
)
export type ManagedSession = Static<typeof ManagedSession>

export const SessionPage = pageOf(ref(ManagedSession), 'SessionPage')
export type SessionPage = Static<typeof SessionPage>

export const sessionColumns = ['loginTime', 'lastActiveTime'] as const

export const SessionQuery = Type.Object({
  ...pagingParameters,
  orderByColumn: orderByColumn('`loginTime` or `lastActiveTime`, camelCase or snake_case', 'lastActiveTime'),
  username: filterText('Contained in the user name, case-insensitive'),
  userId: Type.Optional(int64({ description: 'Equal to the id of the user' })),
  tenantId: Type.Optional(int64({ description: 'Equal to the tenant of the user' })),
  loginIp: filterText('Equal to the network address'),
})
export type SessionQuery = Static<typeof SessionQuery>
