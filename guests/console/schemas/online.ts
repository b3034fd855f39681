import { Type, type Static } from '@sinclair/typebox'
import { orderByColumn, pageOf, pagingParameters } from '../../../schemas/paging.js'
import { filterText, int32, int64, nullable, ref, safe } from '../../../schemas/ref.js'

const time = (description: string) =>
  Type.String({
    description: `${description}, \`yyyy-MM-dd HH:mm:ss\` in the time zone of the service`,
    examples: ['2026-02-01 16:00:00'],
  })
/** Both empty when the header `User-Agent` names none. */
const software = {
  browser: Type.String({ description: 'Browser of the sign-in', examples: ['Chrome 120.0.0.0'] }),
  os: Type.String({ description: 'Operating system of the sign-in', examples: ['Windows 10'] }),
}
const location = Type.String({ description: 'Always empty: addresses are not looked up', examples: [''] })

export const CompatOnlineUser = Type.Object(
  {
    tokenValue: Type.String({
      description: 'Id of the session, which is no token. That of a banned user, who has none, is refused',
      examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'],
    }),
    userId: int64({ examples: [2] }),
    username: Type.String({ examples: ['alice'] }),
    realName: Type.String({ examples: ['Alice Liddell'] }),
    deptName: Type.String({ description: 'Name of the tenant', examples: ['Default'] }),
    ipAddress: Type.String({ examples: ['127.0.0.1'] }),
    loginLocation: location,
    ...software,
    loginTime: time('Sign-in, the latest one of a banned user; empty when there was none'),
    lastActivityTime: time('Last activity, accurate to about a minute; empty for a banned user'),
    expireTime: time('When the session, or the ban, ends at the latest'),
    status: int32({ description: '1: signed in; 0: banned, without a session', examples: [1] }),
    banned: Type.Boolean({ description: 'Whether the user may not sign in for a time' }),
  },
  { $id: 'CompatOnlineUser', description: 'A live session of a user, or a user who is banned' },
)
export type CompatOnlineUser = Static<typeof CompatOnlineUser>
export const CompatOnlinePage = pageOf(ref(CompatOnlineUser), 'CompatOnlinePage')
export type CompatOnlinePage = Static<typeof CompatOnlinePage>

export const CompatOnlineQuery = Type.Object({
  ...pagingParameters,
  orderByColumn: orderByColumn(
    '`loginTime` or `lastActivityTime`, camelCase or snake_case; banned users come first in any order',
    'loginTime',
  ),
  username: filterText('Contained in the user name or the real name, case-insensitive'),
})
export type CompatOnlineQuery = Static<typeof CompatOnlineQuery>

export const CompatKickOutQuery = Type.Object({
  tokenValue: Type.String({ maxLength: 100, description: 'Id of the session', examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] }),
})

const userId = int64({ minimum: 1, description: 'Id of the user', examples: [2] })
/** Ten years. A longer time is a typing error. */
const maxBanSeconds = 315_360_000
export const CompatBanQuery = Type.Object({
  userId,
  banSeconds: int32({
    minimum: -1,
    maximum: maxBanSeconds,
    examples: [3600],
    description: 'How long the user cannot sign in, seconds; -1 means until somebody lifts the ban',
  }),
  reason: Type.Optional(Type.String({ maxLength: 200, description: 'For the audit trail' })),
})
export type CompatBanQuery = Static<typeof CompatBanQuery>
export const CompatUnbanQuery = Type.Object({ userId })

const loginStatus = { ...safe, title: 'LoginStatus' }

export const CompatLogin = Type.Object(
  {
    id: int64({ examples: [1] }),
    username: Type.String({
      description:
        'As it was sent; masked when there is no such user. Phone numbers and e-mail addresses are masked without the permission `system:user:contact`',
      examples: ['alice'],
    }),
    userId: nullable(int64({ description: 'The user who signed in; null for a refusal', examples: [2] })),
    loginType: Type.String({ description: 'Sign-in method', examples: ['password'] }),
    loginStatus: Type.Integer({ ...loginStatus, examples: [1] }),
    clientCode: Type.String({ description: 'Kind of client', examples: ['pc'] }),
    loginIp: Type.String({ examples: ['127.0.0.1'] }),
    loginLocation: location,
    ...software,
    userAgent: Type.String({ description: 'The header `User-Agent`', examples: ['Mozilla/5.0'] }),
    loginTime: time('Time of the latest attempt'),
    loginMessage: nullable(Type.String(), {
      description: 'Why the sign-in was refused, in the language of the request; null for a success',
    }),
  },
  { $id: 'CompatLogin', description: 'An attempt to sign in, or equal refusals within one hour' },
)
export type CompatLogin = Static<typeof CompatLogin>
export const CompatLoginPage = pageOf(ref(CompatLogin), 'CompatLoginPage')
export type CompatLoginPage = Static<typeof CompatLoginPage>

export const CompatLoginQuery = Type.Object({
  ...pagingParameters,
  orderByColumn: orderByColumn('`loginTime`, the only column to sort by', 'loginTime'),
  username: filterText(
    'Contained in the name that was sent, case-insensitive. Without the permission `system:user:contact` it finds user names only, and a text that has no letter or has an `@` is refused',
  ),
  loginType: filterText('Equal to the sign-in method'),
  loginStatus: Type.Optional(Type.Integer({ ...loginStatus, enum: [0, 1], description: 'Equal to the outcome' })),
  loginIp: filterText('Equal to the network address'),
  clientCode: filterText('Equal to the kind of client'),
  startTime: filterText(
    'At this time or later, such as `2026-02-01 08:00:00` in the time zone of the service, or RFC 3339',
  ),
  endTime: filterText('At this time or earlier; a date includes its whole day'),
})
export type CompatLoginQuery = Static<typeof CompatLoginQuery>

export const CompatLoginParameters = Type.Object({
  id: int64({ minimum: 1, description: 'Id of the row', examples: [1] }),
})
