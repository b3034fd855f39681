import { Type, type Static } from '@sinclair/typebox'
import { orderByColumn, pageOf, pagingParameters } from './paging.js'
import { filterText, int32, int64, nullable, ref, time, yesOrNo } from './ref.js'

export const LoginRecord = Type.Object(
  {
    id: int64({ examples: [1] }),
    time: time('Time of the latest attempt'),
    firstTime: time('Time of the first attempt: equal refusals within an hour are one row'),
    tries: int32({ description: 'Number of attempts', examples: [1] }),
    tenantId: int64({ description: '0 where refusals of several tenants are one row', examples: [1] }),
    subject: Type.String({
      description:
        'User name, phone number or e-mail address as it was sent; masked when there is no such user. Phone numbers and e-mail addresses are masked without the permission `system:user:contact`',
      examples: ['alice'],
    }),
    userId: nullable(int64({ description: 'The user who signed in; null for a refusal', examples: [2] })),
    authType: Type.String({ examples: ['password'] }),
    userClient: Type.String({ examples: ['pc'] }),
    address: Type.String({ description: 'Network address', examples: ['127.0.0.1'] }),
    userAgent: Type.String({ examples: ['Mozilla/5.0'] }),
    reason: nullable(
      Type.String({ description: 'Reason of the refusal; null for a success', examples: ['invalid_credentials'] }),
    ),
  },
  { $id: 'LoginRecord', description: 'An attempt to sign in, or equal refusals within one hour' },
)
export type LoginRecord = Static<typeof LoginRecord>

export const LoginLogPage = pageOf(ref(LoginRecord), 'LoginLogPage')
export type LoginLogPage = Static<typeof LoginLogPage>

export const LoginLogQuery = Type.Object({
  ...pagingParameters,
  orderByColumn: orderByColumn('`time`, the only column to sort by', 'time'),
  subject: filterText(
    'Contained in the name that was sent, case-insensitive. Without the permission `system:user:contact` it finds user names only, and a text that has no letter or has an `@` is refused',
  ),
  userId: Type.Optional(int64({ description: 'Equal to the id of the user who signed in' })),
  tenantId: Type.Optional(int64({ description: 'Equal to the tenant' })),
  reason: filterText('Equal to the reason of the refusal, such as `invalid_credentials`'),
  authType: filterText('Equal to the sign-in method, such as `password`'),
  address: filterText('Equal to the network address'),
  userClient: filterText('Equal to the kind of client, such as `pc`'),
  refusedOnly: yesOrNo('`true` leaves successes out, and sign-ins that go on with a second step'),
  succeededOnly: yesOrNo('`true` leaves refusals out'),
  timeFrom: filterText(
    'At this time or later: RFC 3339 date-time, or a date such as 2026-02-01 in the time zone of the service',
  ),
  timeTo: filterText('At this time or earlier; a date includes its whole day'),
})
export type LoginLogQuery = Static<typeof LoginLogQuery>

export const OwnLoginRecord = Type.Object(
  {
    ...Type.Pick(LoginRecord, ['id', 'time', 'authType', 'userClient', 'address', 'userAgent', 'reason']).properties,
  },
  { $id: 'OwnLoginRecord', description: 'A sign-in of the caller' },
)
export type OwnLoginRecord = Static<typeof OwnLoginRecord>

export const OwnLoginPage = pageOf(ref(OwnLoginRecord), 'OwnLoginPage')
export type OwnLoginPage = Static<typeof OwnLoginPage>

export const OwnLoginQuery = Type.Object({
  ...pagingParameters,
  orderByColumn: LoginLogQuery.properties.orderByColumn,
  timeFrom: LoginLogQuery.properties.timeFrom,
  timeTo: LoginLogQuery.properties.timeTo,
})
export type OwnLoginQuery = Static<typeof OwnLoginQuery>
