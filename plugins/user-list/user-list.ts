import { pageNumbers, toPage } from '../../db/paging.js'
import type { SessionOwner } from '../../db/sessions.js'
import type { UserFilter, UserList, UserOrder } from '../../db/user-list/index.js'
import type { Phone } from '../../db/users.js'
import { andThen, type MaybePromise } from '../../schemas/maybe-promise.js'
import { Prepared } from '../../schemas/prepared.js'
import { userTypes, type UserPage, type UserQuery } from '../../schemas/user.js'
import { problem } from '../errors/problem.js'
import { readFilter, readOrder } from './query.js'

/** Phone and e-mail are masked in the list; a filter or an order by them confirms guesses of what is masked. */
const usesContacts = (filter: UserFilter, order: UserOrder[]): boolean =>
  filter.phoneKey !== undefined ||
  filter.email !== undefined ||
  order.some(({ column }) => column === 'phone' || column === 'email')

export const createUserList = (
  userList: UserList,
  readPhone: (text: string) => Phone | undefined,
  seesContacts: (caller: SessionOwner) => boolean,
) => ({
  /**
   * A page of the users that the caller may see (interface 4.2), as JSON. `signal` says when nobody waits for it any
   * more. Throws `invalid_request`, `permission_denied` and `too_many_requests`.
   */
  page(caller: SessionOwner, query: UserQuery, signal: () => AbortSignal): MaybePromise<Prepared<UserPage>> {
    const visibleTenant = caller.user.userType === userTypes.systemAdmin ? undefined : caller.tenant.id
    const filter = readFilter(query, visibleTenant, readPhone)
    const order = readOrder(query)
    if (usesContacts(filter, order) && !seesContacts(caller)) throw problem('permission_denied')
    const page = toPage(query)
    const asker = { userId: caller.user.id, signal }
    return andThen(userList.page(filter, order, page, asker), ({ records, total }) => {
      const numbers = JSON.stringify(pageNumbers(total, page))
      return new Prepared('{"records":[', records, `],${numbers.slice(1)}`)
    })
  },
})
