import { pageNumbers, toPage } from '../../db/paging.js'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { ListedUser, UserFilter, UserList, UserOrder } from '../../db/user-list/index.js'
import type { Phone } from '../../db/repositories/users.js'
import { andThen, type MaybePromise } from '../../schemas/maybe-promise.js'
import type { Prepared } from '../../schemas/prepared.js'
import { userTypes, type UserPage, type UserQuery, type UserRecord } from '../../schemas/user.js'
import { problem } from '../../lib/problem.js'
import type { BeginWaiting } from './list-limits.js'
import { createPageCache } from './page-cache.js'
import { readFilter, readOrder } from './query.js'
import { toRecord } from './record.js'

/** Phone and e-mail are masked in the list; a filter or an order by them confirms guesses of what is masked. */
const usesContacts = (filter: UserFilter, order: UserOrder[]): boolean =>
  filter.phoneKey !== undefined ||
  filter.email !== undefined ||
  order.some(({ column }) => column === 'phone' || column === 'email')

export const createUserList = (
  userList: UserList,
  beginWaiting: BeginWaiting,
  readPhone: (text: string) => Phone | undefined,
  seesContacts: (caller: SessionOwner) => boolean,
) => {
  const pages = createPageCache()

  /**
   * A page of the users that the caller may see (interface 4.2), as JSON. `signal` says when nobody waits for it any
   * more. Throws `invalid_request`, `permission_denied` and `too_many_requests`.
   */
  const page = (
    caller: SessionOwner,
    query: UserQuery,
    signal: () => AbortSignal,
  ): MaybePromise<Prepared<UserPage>> => {
    const visibleTenant = caller.user.userType === userTypes.systemAdmin ? undefined : caller.tenant.id
    const filter = readFilter(query, visibleTenant, readPhone)
    const order = readOrder(query)
    if (usesContacts(filter, order) && !seesContacts(caller)) throw problem('permission_denied')
    const wanted = toPage(query)
    const key = JSON.stringify([filter, order, wanted])
    const known = pages.find(key, () => userList.version())
    if (known) return known
    const { id: userId } = caller.user
    const asker = { userId, beginWaiting: () => beginWaiting(userId, signal()) }
    return andThen(userList.page(filter, order, wanted, asker), ({ users, total, version }) =>
      pages.add(key, version, { records: users.map(toRecord), ...pageNumbers(total, wanted) }),
    )
  }

  return {
    page,
    seesContacts,
    /** What a caller may see of one user: contacts are masked as in the list unless the caller may see them. */
    describe: (caller: SessionOwner | undefined, user: ListedUser): UserRecord => {
      const record = toRecord(user)
      return caller && !seesContacts(caller) ? record : { ...record, phone: user.phone, email: user.email }
    },
  }
}
