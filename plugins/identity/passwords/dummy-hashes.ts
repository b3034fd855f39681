import { createHmac, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { fold } from '../../../db/fold.js'
import type { UserRepository } from '../../../db/repositories/users.js'
import type { Algorithms } from './algorithms.js'

/** Users read in one step, so that no request waits long for the database. */
const chunkSize = 500
/** Users counted in one round: 0.2 seconds of processor time, 0.3 % of a core when there is a round a minute. */
const roundSize = 50_000

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** A hash that matches no password. Verifying it takes as long as verifying a real hash of this `kindOf`. */
export const createDummyHash = (kind: string): string =>
  kind.startsWith('$argon2id$')
    ? `${kind}${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`
    : // 22 characters of salt and 31 of hash; the last character of each holds fewer than 6 bits.
      `${kind}${unpadded(randomBytes(15)).slice(0, 20)}ee${unpadded(randomBytes(24)).slice(0, 30)}.`.replaceAll(
        '+',
        '.',
      )

/**
 * Dummy hashes for names without an account, so that a sign-in with such a name takes as long as with an existing one.
 * Their kinds have the proportions of the kinds that the tenant's users have. A keyed hash of the name selects the kind, so
 * a name keeps its kind.
 */
export const createDummyHashes = (
  users: Pick<UserRepository, 'passwordHashes'>,
  kindOf: Algorithms['kindOf'],
  secret: string,
) => {
  /** Users by tenant and kind of hash, counted so far. */
  let counted = new Map<number, Map<string, number>>()
  /** The last whole count. */
  let whole: typeof counted | undefined
  let lastId = 0
  const dummies = new Map<string, string>()

  const dummyOf = (kind: string): string => {
    const dummy = dummies.get(kind) ?? createDummyHash(kind)
    dummies.set(kind, dummy)
    return dummy
  }

  return {
    /** Counts the kinds of hash of the next `size` users; after the last user, the next call begins anew. */
    async count(size = roundSize): Promise<void> {
      for (let left = size; left > 0; left -= chunkSize) {
        const rows = await users.passwordHashes(lastId, Math.min(left, chunkSize))
        for (const { tenantId, passwordHash } of rows) {
          const kind = kindOf(passwordHash)
          if (kind === undefined) continue
          const ofTenant = counted.get(tenantId) ?? new Map<string, number>()
          counted.set(tenantId, ofTenant.set(kind, (ofTenant.get(kind) ?? 0) + 1))
        }
        lastId = rows.at(-1)?.id ?? 0
        if (rows.length === 0) {
          whole = counted
          counted = new Map()
          return
        }
        await setImmediate()
      }
    },

    /** The dummy hash for a name; undefined while no hash of the tenant has been counted. */
    of(tenantId: number, name: string): string | undefined {
      const digest = createHmac('sha256', secret)
        .update(`dummy hash ${tenantId} ${fold(name)}`)
        .digest()
      // Sorted, so that few names change their kind when the proportions change.
      const inUse = [...((whole ?? counted).get(tenantId) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1))
      const total = inUse.reduce((sum, [, count]) => sum + count, 0)
      let rest = (digest.readUIntBE(0, 6) / 2 ** 48) * total
      for (const [kind, count] of inUse) {
        if (rest < count) return dummyOf(kind)
        rest -= count
      }
      return undefined
    },
  }
}

export type DummyHashes = ReturnType<typeof createDummyHashes>
