import { Type, type Static } from '@sinclair/typebox'
import { enumeratedWord, type auditActionMeanings, type GuestAuditActions } from './enumerations.js'
import { orderByColumn, pageOf, pagingParameters } from './paging.js'
import { filterText, int64, nullable, ref } from './ref.js'

export type AuditAction = keyof (typeof auditActionMeanings & GuestAuditActions)

const values = (description: string) =>
  nullable(Type.Record(Type.String(), Type.Unknown()), { description, examples: [{ userStatus: 1 }] })

export const AuditRecord = Type.Object(
  {
    id: int64({ examples: [1] }),
    time: Type.String({ format: 'date-time', examples: ['2026-02-01T08:00:00.000Z'] }),
    tenantId: nullable(int64({ description: 'Tenant of what was changed', examples: [1] })),
    actorId: nullable(int64({ description: 'Id of the user who made the change; null for a command', examples: [1] })),
    actorName: Type.String({
      description: 'User name; for a command, the user of the operating system',
      examples: ['admin'],
    }),
    source: enumeratedWord('AuditSource', { examples: ['api'] }),
    address: Type.String({ description: 'Network address; empty for a command', examples: ['127.0.0.1'] }),
    userAgent: Type.String({ examples: ['Mozilla/5.0'] }),
    action: enumeratedWord('AuditAction', { examples: ['user.disable'] }),
    targetType: Type.String({ description: 'Kind of what was changed', examples: ['user'] }),
    targetId: Type.String({ examples: ['2'] }),
    targetName: Type.String({ description: 'Its name at that time', examples: ['alice'] }),
    before: values('The changed fields before; contacts are masked without the permission `system:user:contact`'),
    after: values('The changed fields after; contacts are masked without the permission `system:user:contact`'),
  },
  { $id: 'AuditRecord', description: 'A change: who made it, what, when and from where. It never contains a secret' },
)
export type AuditRecord = Static<typeof AuditRecord>

export const AuditPage = pageOf(ref(AuditRecord), 'AuditPage')
export type AuditPage = Static<typeof AuditPage>

export const AuditQuery = Type.Object({
  ...pagingParameters,
  orderByColumn: orderByColumn('`time`, the only column to sort by', 'time'),
  tenantId: Type.Optional(int64({ description: 'Equal to the tenant of what was changed' })),
  actorName: filterText('Contained in the name of who made the change, case-insensitive'),
  action: filterText('Equal to the action, such as `user.disable`'),
  targetType: filterText('Equal to the kind of what was changed, such as `user`'),
  targetId: filterText('Equal to the id of what was changed'),
  timeFrom: filterText(
    'At this time or later: RFC 3339 date-time, or a date such as 2026-02-01 in the time zone of the service',
  ),
  timeTo: filterText('At this time or earlier; a date includes its whole day'),
})
export type AuditQuery = Static<typeof AuditQuery>
