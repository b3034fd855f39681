import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { fold } from '../../db/fold.js'
import type { UserRepository } from '../../db/repositories/users.js'
import { kindOf } from './algorithms.js'

/** So many users are counted at once: no request waits for more. */
const chunk = 500
/** Between two chunks, so that counting a million users takes a small part of one core for a minute. Milliseconds. */
const pause = 25

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** The hash of no password, of a kind that `kindOf` names: verifying it costs what others of the kind cost. */
export const createDummyHash = (kind: string): string =>
  kind.startsWith('$argon2id$')
    ? `${kind}${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`
    : // 22 characters of salt and 31 of hash, whose last ones hold fewer bits than others.
      `${kind}${unpadded(randomBytes(15)).slice(0, 20)}ee${unpadded(randomBytes(24)).slice(0, 30)}.`.replaceAll(
        '+',
        '.',
      )

/**
 * Dummy hashes for names without an account, so that they take the time of those with one: of the kinds of hash in use in
 * the tenant, in the proportions in use. Which one a name gets is decided by a keyed hash of the name, so that it stays.
 */
export const createDummyHashes = (users: Pick<UserRepository, 'passwordHashes'>, secret: string) => {
  /** How many users of each tenant have a hash of which kind. */
  let kinds = new Map<number, Map<string, number>>()
  const dummies = new Map<string, string>()

  const dummyOf = (kind: string): string => {
    const dummy = dummies.get(kind) ?? createDummyHash(kind)
    dummies.set(kind, dummy)
    return dummy
  }

  return {
    /** Counts the kinds of hash in use, a few users at a time; in the end nothing has changed if `signal` is aborted. */
    async count(signal?: AbortSignal): Promise<void> {
      const counted: typeof kinds = new Map()
      let last: number | undefined = 0
      while (last !== undefined) {
        const rows: Awaited<ReturnType<typeof users.passwordHashes>> = await users.passwordHashes(last, chunk)
        for (const { tenantId, passwordHash } of rows) {
          const kind = kindOf(passwordHash)
          if (kind === undefined) continue
          const ofTenant = counted.get(tenantId) ?? new Map<string, number>()
          counted.set(tenantId, ofTenant.set(kind, (ofTenant.get(kind) ?? 0) + 1))
        }
        last = rows.at(-1)?.id
        if (last !== undefined) await setTimeout(pause)
        if (signal?.aborted) return
      }
      kinds = counted
    },

    /** The dummy of a name; undefined while nobody in the tenant is known to have a hash. */
    of(tenantId: number, name: string): string | undefined {
      const digest = createHmac('sha256', secret)
        .update(`dummy hash ${tenantId} ${fold(name)}`)
        .digest()
      // In one order: when hashes of one kind become fewer, few names change theirs.
      const inUse = [...(kinds.get(tenantId) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1))
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
