import { setImmediate } from 'node:timers/promises'
import type { Database, Repositories } from '../../db/index.js'
import type { Phone } from '../../db/repositories/users.js'
import { prepareOrganisation } from './organisation.js'
import { createPeople } from './person.js'
import { createPhones } from './phones.js'

/** Users in one transaction. A server on the same database waits a fraction of a second for it. */
const batchSize = 20_000
/** Users in memory at once. They are few, so that the garbage collector need not copy them. */
const handful = 1000

export interface GenerateOptions {
  count: number
  seed: string
  /** Number of tenants of the users. */
  tenants: number
  passwordHash: string | null
  phoneRegion: string
  readPhone: (text: string) => Phone | undefined
  onProgress: (added: number) => void
  /** Ends the work after the current transaction. */
  signal: AbortSignal
}

/** Adds realistic users in short transactions. Resolves to the number of users added. */
export const generateUsers = async (db: Database, options: GenerateOptions): Promise<number> => {
  const { count, signal } = options
  await db.prepareManyWrites()
  const { tenantIds, roleId } = await prepareOrganisation(db, options.tenants)
  const phoneOf = createPhones(options.phoneRegion, options.readPhone)
  const personAt = createPeople({ ...options, tenantIds, phoneOf })
  // The number of a generated user is at most the highest id, so numbers above it are new.
  const first = (await db.users.highestId()) + 1
  let next = first
  const nextPerson = () => personAt(next, Math.min(1, (next++ - first) / count))
  /** Resolves to the number of users added: some user names may be taken. */
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
      // The next user takes the place of one whose name is taken.
      while (inBatch < batch) inBatch += await addSome(repositories, Math.min(handful, batch - inBatch))
      return inBatch
    }, {})
    await db.indexNames()
    options.onProgress(added)
    // Lets the process handle signals between two transactions.
    await setImmediate()
  }
  return added
}
