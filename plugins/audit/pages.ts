import { Type } from '@sinclair/typebox'
import { pageNumbers, toPage } from '../../db/paging.js'
import type { AuditFilter, AuditRow, AuditTrailRepository } from '../../db/repositories/audit-trail.js'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { jsonReader } from '../../lib/json-reader.js'
import { createReadOrder } from '../../lib/read-order.js'
import { readTime } from '../../lib/read-time.js'
import { toTime } from '../../lib/time-text.js'
import { seesTenant, visibleTenant } from '../../lib/visible-tenant.js'
import { type AuditPage, type AuditQuery, type AuditRecord } from '../../schemas/audit.js'

const readValues = jsonReader(Type.Record(Type.String(), Type.Unknown()))
const readOrder = createReadOrder(['time'], [{ column: 'time', direction: 'desc' }])

const toRecord = (row: AuditRow): AuditRecord => ({
  ...row,
  time: toTime(row.time),
  before: row.before === null ? null : (readValues(row.before) ?? null),
  after: row.after === null ? null : (readValues(row.after) ?? null),
})

/** Pages of the audit trail. Without a `caller`, at the command line, the rows of all tenants are visible. */
export const createAuditPages = (repository: AuditTrailRepository) => ({
  /** Throws `invalid_request` for what is not a time, a column or a direction. */
  async page(caller: SessionOwner | undefined, query: AuditQuery): Promise<AuditPage> {
    const filter: AuditFilter = {
      tenantId: visibleTenant(caller) ?? query.tenantId,
      actorName: query.actorName,
      action: query.action,
      targetType: query.targetType,
      targetId: query.targetId,
      timeFrom: readTime('timeFrom', query.timeFrom, false),
      timeTo: readTime('timeTo', query.timeTo, true),
    }
    const [{ direction } = { direction: 'desc' as const }] = readOrder(query)
    const wanted = toPage(query)
    // Another tenant than the own one has no rows that the caller may see.
    if (query.tenantId !== undefined && !seesTenant(caller, query.tenantId))
      return { records: [], ...pageNumbers(0, wanted) }
    const { rows, total } = await repository.page(filter, wanted, direction)
    return { records: rows.map(toRecord), ...pageNumbers(total, wanted) }
  },
})
