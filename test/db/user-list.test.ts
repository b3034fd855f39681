import { setImmediate } from 'node:timers/promises'
import { test } from 'tap'
import { createFairLimiter } from '../../db/lists/fair-limiter.js'
import type { ListEngine, Moved } from '../../db/user-list/engine.js'
import { createIdList } from '../../db/user-list/id-list.js'
import type { Asker } from '../../db/user-list/index.js'
import { createUserList } from '../../db/user-list/user-list.js'
import { anybody } from '../helpers/service/many-users.js'

const page = { current: 1, size: 10, offset: 0 }
const asker = (userId: number): Asker => ({ ...anybody, userId })

/** An engine that builds a list, or brings one up to date, one at a time; `hold` keeps it from building until it is called again. */
const createEngine = () => {
  const limiter = createFairLimiter(1)
  let moved: Moved = []
  let held: Promise<unknown> = Promise.resolve()
  const engine: ListEngine<number> = {
    limiters: { build: limiter, follow: limiter },
    version: () => undefined,
    users: async () => [],
    read: async (mark) => ({ mark, moved, users: [] }),
    async build() {
      await held
      moved = []
      return { mark: 1, ids: createIdList([1, 2]), users: [] }
    },
    inSnapshot: (work) =>
      work({ changesSince: async (mark) => ({ mark, moved: [] }), inOrder: async () => [], users: async () => [] }),
    close: async () => undefined,
  }
  return {
    engine,
    /** What every list is told from now on. */
    change: (now: Moved) => (moved = now),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held = promise
      return () => resolve(undefined)
    },
  }
}

test('a list that is dropped while somebody waits to bring it up to date is built, and keeps nobody waiting', async (t) => {
  const { engine, change, hold } = createEngine()
  const list = createUserList(engine)
  const one = list.select({ tenantIds: [] }, [{ column: 'id', direction: 'asc' }])
  const other = list.select({ tenantIds: [1] }, [{ column: 'id', direction: 'asc' }])
  const third = list.select({ tenantIds: [2] }, [{ column: 'id', direction: 'asc' }])
  await one.page(page, asker(1))

  const goOn = hold()
  const building = [other.page(page, asker(2))]
  await setImmediate()
  // The user who brings the list up to date waits for another list before, and comes after those who wait meanwhile.
  building.push(third.page(page, asker(3)))
  change([1])
  building.push(one.page(page, asker(3)))
  await setImmediate()
  change(undefined)
  building.push(one.page(page, asker(4)), one.page(page, asker(5)))
  await setImmediate()
  goOn()
  t.same(
    (await Promise.all(building)).map(({ total }) => total),
    [2, 2, 2, 2, 2],
  )
})
