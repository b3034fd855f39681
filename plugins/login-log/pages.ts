import { pageNumbers, toPage } from '../../db/paging.js'
import type { LoginLogRepository, LoginPageFilter } from '../../db/repositories/login-log.js'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { LoginLogPage, LoginLogQuery } from '../../schemas/login-log.js'
import { userTypes } from '../../schemas/user.js'
import { createReadOrder } from '../../lib/read-order.js'
import { readTime } from '../../lib/read-time.js'
import { toTime } from '../../lib/time-text.js'

const readOrder = createReadOrder(['time'], [{ column: 'time', direction: 'desc' }])

/** Pages of the login log. Without a `caller`, at the command line, the rows of all tenants are visible. */
export const createLoginLogPages = (repository: Pick<LoginLogRepository, 'page'>) => ({
  /** Throws `invalid_request` for what is not a time, a column or a direction. */
  async page(caller: SessionOwner | undefined, query: LoginLogQuery): Promise<LoginLogPage> {
    const isBound = caller !== undefined && caller.user.userType !== userTypes.systemAdmin
    const { subject, userId, reason, authType, address, userClient } = query
    const filter: LoginPageFilter = {
      tenantId: isBound ? caller.tenant.id : query.tenantId,
      ...{ subject, userId, reason, authType, address, userClient },
      refusedOnly: query.refusedOnly === 'true',
      timeFrom: readTime('timeFrom', query.timeFrom, false),
      timeTo: readTime('timeTo', query.timeTo, true),
    }
    const [{ direction } = { direction: 'desc' as const }] = readOrder(query)
    const wanted = toPage(query)
    // Another tenant than the own one has no rows that the caller may see.
    if (isBound && query.tenantId !== undefined && query.tenantId !== caller.tenant.id)
      return { records: [], ...pageNumbers(0, wanted) }
    const { rows, total } = await repository.page(filter, wanted, direction)
    const records = rows.map((row) => ({ ...row, time: toTime(row.time), firstTime: toTime(row.firstTime) }))
    return { records, ...pageNumbers(total, wanted) }
  },
})
