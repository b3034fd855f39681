import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { pageNumbers, toPage, type Page } from '../../../db/paging.js'
import { banEnd } from '../../../db/repositories/user-bans.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { ListedUser, SelectedUsers, UserFilter, UserList, UserOrder } from '../../../db/user-list/index.js'
import { Prepared } from '../../../schemas/prepared.js'
import type { UserPage, UserQuery, UserRecord } from '../../../schemas/user.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import { visibleTenant as visibleTenantOf } from '../../../lib/visible-tenant.js'
import type { BeginWaiting } from '../../run/lists/list-limits.js'
import { createPageCache } from './page-cache.js'
import { readFilter, readOrder, type FilterReaders } from './query.js'
import { toRecord } from './record.js'

/** Users read at a time for a list of all, which holds the event loop for some 5 milliseconds. */
const batchSize = 100

/** Users whose pictures are read at a time for a page with pictures. */
const picturesAtOnce = 10

/** Filters and orders that are kept. */
const maxSelections = 500

/** The users whom a query asks for. */
interface Selection {
  users: SelectedUsers
  /** The query and the tenant that the caller sees. */
  key: string
  usesContacts: boolean
}

/** All users that match a query. */
export interface AllUsers {
  /** Users who are deleted while the list is read are counted, too. */
  total: number
  batches: () => AsyncGenerator<UserRecord[]>
}

/** Phone and e-mail are masked in the list; a filter or an order by them confirms guesses of what is masked. */
const usesContacts = (filter: UserFilter, order: UserOrder[]): boolean =>
  filter.phoneKey !== undefined ||
  filter.email !== undefined ||
  order.some(({ column }) => column === 'phone' || column === 'email')

const describe = (user: ListedUser, now: number, isMasked: boolean): UserRecord => {
  const record = toRecord(user, now)
  return isMasked ? record : { ...record, phone: user.phone, email: user.email }
}

/** The JSON of a page whose records may be megabytes. */
const toJsonInTurns = async (
  records: UserRecord[],
  numbers: ReturnType<typeof pageNumbers>,
): Promise<Prepared<UserPage>> => {
  const parts: Buffer[] = []
  for (let start = 0; start < records.length; start += picturesAtOnce) {
    const some = JSON.stringify(records.slice(start, start + picturesAtOnce)).slice(1, -1)
    parts.push(Buffer.from(`${start === 0 ? '' : ','}${some}`))
    await setImmediate()
  }
  const end = `],${JSON.stringify(numbers).slice(1)}`
  return new Prepared(Buffer.concat([Buffer.from('{"records":['), ...parts, Buffer.from(end)]))
}

/** The time of the first end of a ban of these users: until then the page shows the same. */
const firstEndOf = (users: ListedUser[], now: number): number =>
  users.reduce((first, user) => Math.min(first, banEnd(user, now) ?? Infinity), Infinity)

export const createUserList = (
  userList: UserList,
  beginWaiting: BeginWaiting,
  readers: FilterReaders,
  clock: Clock,
) => {
  const toRecords = (users: ListedUser[], isMasked: boolean, now = clock.now()) =>
    users.map((user) => describe(user, now, isMasked))
  const pages = createPageCache()
  /** By query: those who page through a list send the same filter and order with each request. */
  const selections = new LRUCache<string, Selection>({ max: maxSelections })

  const readSelection = (
    query: UserQuery,
    visibleTenant: number | undefined,
    isSearchingContacts: boolean,
    key: string,
  ): Selection => {
    const filter = readFilter(query, visibleTenant, isSearchingContacts, readers)
    const order = readOrder(query)
    const selection = { users: userList.select(filter, order), key, usesContacts: usesContacts(filter, order) }
    selections.set(key, selection)
    return selection
  }

  /** What a query asks for, within what the caller may see. Throws `invalid_request` and `permission_denied`. */
  const read = (caller: SessionOwner, { pageNum, pageSize, avatars, contacts, ...query }: UserQuery) => {
    const visibleTenant = visibleTenantOf(caller)
    // Whoever sees masked contacts only searches names: a contact that is found would confirm a guess.
    const isSearchingContacts = query.search !== undefined && seesContacts(caller)
    const key = JSON.stringify([visibleTenant, isSearchingContacts, query])
    const selection = selections.get(key) ?? readSelection(query, visibleTenant, isSearchingContacts, key)
    const isMasked = contacts !== 'true'
    if ((selection.usesContacts || !isMasked) && !seesContacts(caller)) throw problem('permission_denied')
    return {
      ...selection,
      visibleTenant,
      wanted: toPage({ pageNum, pageSize }),
      withPictures: avatars === 'true',
      isMasked,
    }
  }

  const askerFor = ({ user: { id: userId } }: SessionOwner, signal: () => AbortSignal) => ({
    userId,
    beginWaiting: () => beginWaiting(userId, signal()),
  })

  /** Adds the pictures that pages leave out, as they are now, in several turns of the event loop: they may be megabytes. */
  const addPictures = async <User extends { id: number; avatar: string | null }>(users: User[]): Promise<User[]> => {
    const whole: User[] = []
    for (let start = 0; start < users.length; start += picturesAtOnce) {
      const some = users.slice(start, start + picturesAtOnce)
      const now = new Map((await userList.users(some.map(({ id }) => id))).map((user) => [user.id, user.avatar]))
      whole.push(...some.map((user) => ({ ...user, avatar: now.get(user.id) ?? null })))
      await setImmediate()
    }
    return whole
  }

  const pageWithPictures = async (
    users: SelectedUsers,
    wanted: Page,
    isMasked: boolean,
    asker: ReturnType<typeof askerFor>,
  ): Promise<Prepared<UserPage>> => {
    const { users: found, total } = await users.page(wanted, asker)
    const records = await addPictures(toRecords(found, isMasked))
    return toJsonInTurns(records, pageNumbers(total, wanted))
  }

  /**
   * A page of the users that the caller may see (interface 4.2), as JSON. `signal` says when nobody waits for it any
   * more. Throws `invalid_request`, `permission_denied` and `too_many_requests`.
   */
  const page = async (
    caller: SessionOwner,
    query: UserQuery,
    signal: () => AbortSignal,
  ): Promise<Prepared<UserPage>> => {
    const { users, key, wanted, withPictures, isMasked } = read(caller, query)
    if (withPictures) return pageWithPictures(users, wanted, isMasked, askerFor(caller, signal))
    const pageKey = `${key} ${wanted.current} ${wanted.size}${isMasked ? '' : ' whole'}`
    const known = pages.find(pageKey, () => userList.version(), clock.now())
    if (known) return known
    const { users: found, total, version } = await users.page(wanted, askerFor(caller, signal))
    const now = clock.now()
    const content = { records: toRecords(found, isMasked, now), ...pageNumbers(total, wanted) }
    return pages.add(pageKey, version, firstEndOf(found, now), content)
  }

  /**
   * All users that the caller may see and that match, in the order asked for. The list of them is from one snapshot, and
   * only ids of it are in memory; each record is read just before it is written. Phone and e-mail are masked, except for callers
   * with `system:user:contact`. Throws like `page`.
   */
  const all = async (caller: SessionOwner, query: UserQuery, signal: () => AbortSignal): Promise<AllUsers> => {
    const { users, visibleTenant } = read(caller, query)
    const isMasked = !seesContacts(caller)
    const ids = await users.ids(askerFor(caller, signal))
    async function* batches() {
      for (let start = 0; start < ids.length; start += batchSize) {
        const batch = await userList.users([...ids.subarray(start, start + batchSize)])
        // Somebody may have moved to another tenant since the snapshot.
        yield batch
          .filter(({ tenantId }) => tenantId === (visibleTenant ?? tenantId))
          .map((user) => describe(user, clock.now(), isMasked))
        await setImmediate()
      }
    }
    return { total: ids.length, batches }
  }

  return {
    page,
    all,
    /** A page of all users for a command, with their contacts. Throws `invalid_request`. */
    async pageForOperator(query: UserQuery): Promise<UserPage> {
      const wanted = toPage(query)
      const asker = { userId: 0, beginWaiting: () => beginWaiting(0, new AbortController().signal) }
      const filter = readFilter(query, undefined, true, readers)
      const { users, total } = await userList.select(filter, readOrder(query)).page(wanted, asker)
      const whole = await addPictures(users)
      const records = whole.map((user) => describe(user, clock.now(), false))
      return { records, ...pageNumbers(total, wanted) }
    },
    /** How many users match that the caller may see. Throws like `page`. */
    async count(caller: SessionOwner, query: UserQuery, signal: () => AbortSignal): Promise<number> {
      const { users, wanted } = read(caller, { ...query, pageSize: 1 })
      return (await users.page(wanted, askerFor(caller, signal))).total
    },
    /** What a caller may see of one user: contacts are masked as in the list unless the caller may see them. */
    describe: (caller: SessionOwner | undefined, user: ListedUser): UserRecord =>
      describe(user, clock.now(), !seesContacts(caller)),
  }
}
