import { LRUCache } from 'lru-cache'
import type { ListEngine, MarkedList } from './engine.js'
import { copyAll, cut, type IdList, type Slice } from './id-list.js'
import type { Asker, Limits, ListedUser, UserList } from './index.js'
import { overhead, presetListMemory } from './list-memory.js'
import { createListing, type Listing } from './listing.js'
import { placeUsers } from './place-users.js'

/** Searches leave many short lists, of some 3 KB each whatever they contain. */
const maxLists = 500

const nothing: Slice = { page: { current: 1, size: 0, offset: 0 }, isReversed: false }

const sizeOf = ({ ids }: Pick<MarkedList<unknown>, 'ids'>): number => ids.byteLength + overhead

/** What a list says of a slice: from one snapshot. */
interface Answer {
  ids: IdList
  users: ListedUser[]
}

/** Answers from lists of ids in memory, which the changes that an engine tells keep true (README.md). */
export const createUserList = <Mark>(engine: ListEngine<Mark>, { listMemory, onTooLarge }: Limits = {}): UserList => {
  const lists = new LRUCache<string, MarkedList<Mark>>({
    max: maxLists,
    // `keep` holds to the limit, which grows with the largest list.
    maxSize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: (list) => sizeOf(list),
  })
  let largest = 0

  const keep = (key: string, list: MarkedList<Mark>): void => {
    const size = sizeOf(list)
    largest = Math.max(largest, size)
    const memory = listMemory ?? presetListMemory(largest)
    if (size > memory) {
      lists.delete(key)
      onTooLarge?.(size, memory)
      return
    }
    lists.set(key, list)
    while (lists.calculatedSize > memory) lists.pop()
  }

  /** Lists that are being built or brought up to date, by key. */
  const working = new Map<string, Promise<unknown>>()

  /** Waits for those who work on a list. Whoever runs the work hears of a fault. */
  const waitForOthers = async (key: string): Promise<void> => {
    await working.get(key)?.catch(() => undefined)
  }

  /** Runs `work` unless a list is being worked on already; then waits for that and resolves to undefined. */
  const alone = async <T>(key: string, work: () => Promise<T>): Promise<T | undefined> => {
    if (working.has(key)) {
      await waitForOthers(key)
      return undefined
    }
    const promise = work().finally(() => working.delete(key))
    working.set(key, promise)
    return promise
  }

  const replace = (key: string, old: MarkedList<Mark>, by: MarkedList<Mark> | undefined): void => {
    if (lists.peek(key) !== old) return
    if (by) keep(key, by)
    else lists.delete(key)
  }

  /** Brings a list up to date. Undefined when others have done that, or too many users have moved. */
  const follow = (
    listing: Listing,
    known: MarkedList<Mark>,
    slice: Slice,
    { userId }: Asker,
  ): Promise<Answer | undefined> => {
    const { key } = listing
    const catchUp = () =>
      engine.inSnapshot(async (snapshot) => {
        const { mark, moved } = await snapshot.changesSince(known.mark, listing)
        const ids = moved && (await placeUsers(snapshot, known.ids, listing, moved))
        replace(key, known, ids && { ids, mark })
        return ids && { ids, users: await snapshot.users(cut(ids, slice)) }
      })
    // Without the signal of one request: others wait for the same work.
    return alone(key, () => engine.limiters.follow(userId, undefined, catchUp))
  }

  /** The list as it is now, if it is in memory and nobody has to wait for it. */
  const current = async (listing: Listing, asker: Asker): Promise<MarkedList<Mark> | undefined> => {
    const known = lists.get(listing.key)
    if (!known) return undefined
    const { mark, moved } = await engine.read(known.mark, listing, [])
    if (moved?.length === 0) replace(listing.key, known, { ids: known.ids, mark })
    else if (moved) await follow(listing, known, nothing, asker)
    return lists.get(listing.key)
  }

  /** Builds a list when its user is next. Undefined when others have built it before that. */
  const build = async (listing: Listing, slice: Slice, asker: Asker): Promise<Answer | undefined> => {
    const { key } = listing
    const { signal, end } = asker.beginWaiting()
    const work = async () => {
      const { mark, ids, users } = await engine.build(listing, slice, signal, (other) => current(other, asker))
      keep(key, { mark, ids })
      return { ids, users }
    }
    try {
      const built = await engine.limiters.build(asker.userId, signal, async () =>
        lists.has(key) || working.has(key) ? undefined : alone(key, work),
      )
      // Others are at it. Not within the limiter, where they may still wait for their turn.
      if (!built) await waitForOthers(key)
      return built
    } finally {
      end()
    }
  }

  const answer = async (listing: Listing, slice: Slice, asker: Asker): Promise<Answer> => {
    for (;;) {
      const known = lists.get(listing.key)
      let found: Answer | undefined
      if (known) {
        const { mark, moved, users } = await engine.read(known.mark, listing, cut(known.ids, slice))
        if (moved?.length === 0) {
          if (mark !== known.mark) replace(listing.key, known, { ids: known.ids, mark })
          return { ids: known.ids, users }
        }
        if (moved) found = await follow(listing, known, slice, asker)
        else replace(listing.key, known, undefined)
      } else found = await build(listing, slice, asker)
      if (found) return found
    }
  }

  return {
    version: engine.version,
    select(filter, order) {
      const listing = createListing(filter, order)
      const { isReversed } = listing
      return {
        async page(page, asker) {
          // Taken before the page is read: if users change meanwhile, the page counts as outdated.
          const version = engine.version()
          const { ids, users } = await answer(listing, { page, isReversed }, asker)
          return { users, total: ids.length, ...(version !== undefined && { version }) }
        },
        ids: async (asker) => copyAll((await answer(listing, nothing, asker)).ids, isReversed),
      }
    },
    users: engine.users,
    close: engine.close,
  }
}
