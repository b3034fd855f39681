import { Type } from '@sinclair/typebox'
import { pageNumbers, toPage } from '../../../db/paging.js'
import type { AuditFilter, AuditRow, AuditTrailRepository } from '../../../db/repositories/audit-trail.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { maskContact, maskEmail, maskPhone } from '../../../lib/mask.js'
import { createReadOrder } from '../../../lib/read-order.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import { toTime } from '../../../lib/time-text.js'
import type { TimeZone } from '../../../lib/time-zone.js'
import { seesTenant, visibleTenant } from '../../../lib/visible-tenant.js'
import type { ReadList } from '../../run/lists/read-list.js'
import { type AuditPage, type AuditQuery, type AuditRecord } from '../../../schemas/audit.js'

const readValues = jsonReader(Type.Record(Type.String(), Type.Unknown()))
const readOrder = createReadOrder(['time'], [{ column: 'time', direction: 'desc' }])

/** The values that contain contacts, by the names that `AuditEvent` gives them. */
const masks: Record<string, (contact: string) => string> = {
  phone: maskPhone,
  email: maskEmail,
  contacts: maskContact,
}

const maskValue = (name: string, value: unknown): unknown => {
  const mask = Object.hasOwn(masks, name) ? masks[name] : undefined
  if (!mask) return value
  if (Array.isArray(value)) return value.map((item) => maskValue(name, item))
  return typeof value === 'string' ? mask(value) : value
}

const toValues = (json: string | null, isMasked: boolean): AuditRecord['before'] => {
  const values = json === null ? undefined : readValues(json)
  if (!values || !isMasked) return values ?? null
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskValue(name, value)]))
}

const toRecord = (row: AuditRow, isMasked: boolean): AuditRecord => ({
  ...row,
  time: toTime(row.time),
  before: toValues(row.before, isMasked),
  after: toValues(row.after, isMasked),
})

/**
 * Pages of the audit trail. Without a `caller`, at the command line, the rows of all tenants are visible. Contacts are
 * masked as in the user list unless the caller may see them.
 */
export const createAuditPages = (repository: AuditTrailRepository, readList: ReadList, timeZone: TimeZone) => ({
  /**
   * Throws `invalid_request` for what is not a time, a column or a direction, and `too_many_requests`. `closed` says when nobody
   * waits for the page any more.
   */
  async page(caller: SessionOwner | undefined, query: AuditQuery, closed?: () => AbortSignal): Promise<AuditPage> {
    const filter: AuditFilter = {
      tenantId: visibleTenant(caller) ?? query.tenantId,
      actorName: query.actorName,
      action: query.action,
      targetType: query.targetType,
      targetId: query.targetId,
      timeFrom: timeZone.readTime('timeFrom', query.timeFrom, false),
      timeTo: timeZone.readTime('timeTo', query.timeTo, true),
    }
    const [{ direction } = { direction: 'desc' as const }] = readOrder(query)
    const wanted = toPage(query)
    // Another tenant than the own one has no rows that the caller may see.
    if (query.tenantId !== undefined && !seesTenant(caller, query.tenantId))
      return { records: [], ...pageNumbers(0, wanted) }
    const { rows, total } = await readList({ caller, closed }, { list: 'audit', filter, direction }, (steps) =>
      repository.page(filter, wanted, direction, steps),
    )
    const isMasked = !seesContacts(caller)
    return { records: rows.map((row) => toRecord(row, isMasked)), ...pageNumbers(total, wanted) }
  },
})
