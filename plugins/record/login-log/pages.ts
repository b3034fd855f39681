import { pageNumbers, toPage } from '../../../db/paging.js'
import type { LoginLogRepository, LoginPageFilter, LoginRow } from '../../../db/repositories/login-log.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type {
  LoginLogPage,
  LoginLogQuery,
  LoginRecord,
  OwnLoginPage,
  OwnLoginQuery,
  OwnLoginRecord,
} from '../../../schemas/login-log.js'
import { atSigns, isPartOfNamesOnly, maskContact } from '../../../lib/mask.js'
import { problem } from '../../../lib/problem.js'
import { createReadOrder } from '../../../lib/read-order.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import type { ReadList } from '../../run/lists/read-list.js'
import { toTime } from '../../../lib/time-text.js'
import type { TimeZone } from '../../../lib/time-zone.js'
import { seesTenant, visibleTenant } from '../../../lib/visible-tenant.js'

const readOrder = createReadOrder(['time'], [{ column: 'time', direction: 'desc' }])

const toRecord = (caller: SessionOwner | undefined, row: LoginRow): LoginRecord => ({
  ...row,
  subject: seesContacts(caller) ? row.subject : maskContact(row.subject),
  time: toTime(row.time),
  firstTime: toTime(row.firstTime),
})

const toOwnRecord = ({ id, time, authType, userClient, address, userAgent, reason }: LoginRow): OwnLoginRecord => ({
  ...{ id, authType, userClient, address, userAgent, reason },
  time: toTime(time),
})

/**
 * The filter by what was sent. To a caller who may not see contacts it finds user names only: otherwise it would confirm
 * guesses of what is masked. Throws `permission_denied` for a text that is a part of phone numbers or e-mail addresses.
 */
const readSubject = (
  caller: SessionOwner | undefined,
  subject: string | undefined,
): Pick<LoginPageFilter, 'subject' | 'subjectWithout'> => {
  if (subject === undefined || seesContacts(caller)) return { subject }
  if (!isPartOfNamesOnly(subject)) throw problem('permission_denied')
  return { subject, subjectWithout: atSigns }
}

/**
 * Pages of the login log. Without a `caller`, at the command line, the rows of all tenants are visible. Contacts are
 * masked unless the caller may see them.
 */
export const createLoginLogPages = (
  repository: Pick<LoginLogRepository, 'find' | 'page'>,
  readList: ReadList,
  timeZone: TimeZone,
) => ({
  /**
   * Throws `invalid_request` for what is not a time, a column or a direction, `permission_denied` and `too_many_requests`. `closed`
   * says when nobody waits for the page any more.
   */
  async page(
    caller: SessionOwner | undefined,
    query: LoginLogQuery,
    closed?: () => AbortSignal,
  ): Promise<LoginLogPage> {
    const { userId, reason, authType, address, userClient } = query
    const filter: LoginPageFilter = {
      tenantId: visibleTenant(caller) ?? query.tenantId,
      ...readSubject(caller, query.subject),
      ...{ userId, reason, authType, address, userClient },
      refusedOnly: query.refusedOnly === 'true',
      succeededOnly: query.succeededOnly === 'true',
      timeFrom: timeZone.readTime('timeFrom', query.timeFrom, false),
      timeTo: timeZone.readTime('timeTo', query.timeTo, true),
    }
    const [{ direction } = { direction: 'desc' as const }] = readOrder(query)
    const wanted = toPage(query)
    // Another tenant than the own one has no rows that the caller may see.
    if (query.tenantId !== undefined && !seesTenant(caller, query.tenantId))
      return { records: [], ...pageNumbers(0, wanted) }
    const { rows, total } = await readList({ caller, closed }, { list: 'login-log', filter, direction }, (steps) =>
      repository.page(filter, wanted, direction, steps),
    )
    return { records: rows.map((row) => toRecord(caller, row)), ...pageNumbers(total, wanted) }
  },

  /** The sign-ins of the caller. Throws `invalid_request` and `too_many_requests`. */
  async ownPage(caller: SessionOwner, query: OwnLoginQuery, closed?: () => AbortSignal): Promise<OwnLoginPage> {
    const { id: userId, tenantId } = caller.user
    const filter: LoginPageFilter = {
      ...{ userId, tenantId, refusedOnly: false },
      timeFrom: timeZone.readTime('timeFrom', query.timeFrom, false),
      timeTo: timeZone.readTime('timeTo', query.timeTo, true),
    }
    const [{ direction } = { direction: 'desc' as const }] = readOrder(query)
    const wanted = toPage(query)
    const { rows, total } = await readList({ caller, closed }, { list: 'login-log', filter, direction }, (steps) =>
      repository.page(filter, wanted, direction, steps),
    )
    return { records: rows.map(toOwnRecord), ...pageNumbers(total, wanted) }
  },

  /** One row; undefined for what the caller does not see. */
  async find(caller: SessionOwner | undefined, id: number): Promise<LoginRecord | undefined> {
    const row = await repository.find(id)
    return row && seesTenant(caller, row.tenantId) ? toRecord(caller, row) : undefined
  },
})

export type LoginLogPages = ReturnType<typeof createLoginLogPages>
