import { setImmediate } from 'node:timers/promises'
import type { Database, Repositories } from '../../db/index.js'
import type { Phone } from '../../db/repositories/users.js'
import { prepareOrganisation } from './organisation.js'
import { createPeople } from './person.js'
import { createPhones } from './phones.js'

/** Users of one transaction: a server on the same database waits a fraction of a second to write. */
const batchSize = 20_000
/** Users in memory at once: few, so that they are gone before the collector of garbage would copy them. */
const handful = 1000

export interface GenerateOptions {
  count: number
  seed: string
  /** Tenants that the users are spread over. */
  tenants: number
  passwordHash: string | null
  phoneRegion: string
  readPhone: (text: string) => Phone | undefined
  onProgress: (added: number) => void
  /** Ends the work after the transaction under way. */
  signal: AbortSignal
}

/** Adds users who could be real, in short transactions. Resolves to how many it has added. */
export const generateUsers = async (db: Database, options: GenerateOptions): Promise<number> => {
  const { count, signal } = options
  await db.prepareManyWrites()
  const { tenantIds, roleId } = await prepareOrganisation(db, options.tenants)
  const phoneOf = createPhones(options.phoneRegion, options.readPhone)
  const personAt = createPeople({ ...options, tenantIds, phoneOf })
  // Nobody who was generated has a number above the highest id, so what is counted on from there is new.
  const first = (await db.users.highestId()) + 1
  let next = first
  const nextPerson = () => personAt(next, Math.min(1, (next++ - first) / count))
  /** Resolves to how many could be added: somebody may have a name already. */
  const addSome = async ({ users, roles }: Repositories, length: number): Promise<number> => {
    const people = Array.from({ length }, nextPerson)
    const ids = await users.addMany(people.map(({ user }) => user))
    const grants = people.flatMap(({ user, roleKeys }, index) => {
      const userId = ids[index]
      if (userId === undefined) return []
      return roleKeys.map((key) => ({ userId, roleId: roleId(user.tenantId, key) }))
    })
    await roles.assignMany(grants)
    return ids.filter((id) => id !== undefined).length
  }
  let added = 0
  while (added < count && !signal.aborted) {
    const batch = Math.min(batchSize, count - added)
    added += await db.transaction(async (repositories) => {
      let inBatch = 0
      // For a name that is taken the next in the row takes the place.
      while (inBatch < batch) inBatch += await addSome(repositories, Math.min(handful, batch - inBatch))
      return inBatch
    })
    await db.indexNames()
    options.onProgress(added)
    // Signals are heard between two transactions only.
    await setImmediate()
  }
  return added
}
