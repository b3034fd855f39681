import type { Database } from '../../../db/index.js'
import type { SigningAlgorithm, StoredSigningKey } from '../../../db/repositories/signing-keys.js'
import { operatorActor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { OperatorError } from '../../../lib/operator-error.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Audit } from '../../record/audit/audit.js'

/**
 * How long a key is published before it signs, unless an operator says otherwise: other services cache the key set.
 * Milliseconds.
 */
const publishTime = 24 * 3600 * 1000
/** Clocks of servers may differ by this. Milliseconds. */
const tolerance = 5 * 60_000
const day = 24 * 3600 * 1000

/** `old` keys verify only refreshes of expired tokens; they are not in the key set any more. */
export type KeyStatus = 'next' | 'signing' | 'verifying' | 'old'

interface DatedKey {
  kid: string
  algorithm: SigningAlgorithm
  activeTime: number
}

/** The keys, the newest first, each with the time from which on its successor signs: the next one of its algorithm. */
const withSuccessors = <K extends DatedKey>(keys: readonly K[]) => {
  const latest = new Map<SigningAlgorithm, number>()
  return [...keys]
    .sort((one, other) => other.activeTime - one.activeTime)
    .map((key) => {
      const replacedTime = latest.get(key.algorithm) ?? Infinity
      latest.set(key.algorithm, key.activeTime)
      return { key, replacedTime }
    })
}

/** Those of the keys: ES256, and RS256 once there is one. */
const algorithmsOf = (keys: readonly DatedKey[]): SigningAlgorithm[] => [
  ...new Set(['ES256' as const, ...keys.map(({ algorithm }) => algorithm)]),
]

/** What becomes of keys that no longer sign. `clients` decide how long their tokens live. */
export const createKeyLifetimes = (clients: Settings['clients']) => {
  const longest = (name: 'accessTtl' | 'maxTtl') =>
    Math.max(...Object.values(clients).map((client) => client[name])) * 1000 + tolerance
  const [accessTime, sessionTime] = [longest('accessTtl'), longest('maxTtl')]

  const statusOf = (activeTime: number, replacedTime: number, now: number): KeyStatus => {
    if (activeTime > now) return 'next'
    if (replacedTime > now) return 'signing'
    return replacedTime + accessTime > now ? 'verifying' : 'old'
  }

  return {
    statuses: <K extends DatedKey>(keys: readonly K[], now: number) =>
      withSuccessors(keys).map(({ key, replacedTime }) => ({
        key,
        status: statusOf(key.activeTime, replacedTime, now),
      })),

    /** The keys of which no token can be refreshed any more. */
    ended: <K extends DatedKey>(keys: readonly K[], now: number): K[] =>
      withSuccessors(keys)
        .filter(({ replacedTime }) => replacedTime + sessionTime <= now)
        .map(({ key }) => key),
  }
}

export type KeyLifetimes = ReturnType<typeof createKeyLifetimes>

interface Collaborators {
  audit: Pick<Audit, 'record'>
  db: Pick<Database, 'signingKeys' | 'transaction'>
  clock: Clock
  lifetimes: KeyLifetimes
  rotateAfterDays: number
  /** Makes a key that is not stored yet. */
  generate: (algorithm: SigningAlgorithm, activeTime: number) => Promise<StoredSigningKey>
}

const targetOf = (kid: string) => ({ type: 'key' as const, id: kid, name: kid, tenantId: null })

/** Replaces signing keys. Running servers look for changed keys every few seconds. */
export const createKeyRotation = ({ audit, db, clock, lifetimes, rotateAfterDays, generate }: Collaborators) => {
  const isNext = ({ activeTime }: StoredSigningKey) => activeTime > clock.now()

  return {
    async list() {
      return lifetimes
        .statuses(await db.signingKeys.list(), clock.now())
        .map(({ key: { kid, algorithm, createTime, activeTime }, status }) => ({
          ...{ kid, algorithm, status, createTime, activeTime },
        }))
    },

    /**
     * Publishes a key of each algorithm, which signs after `publish` milliseconds; returns them, that of access tokens first. Throws if there
     * is such a key already.
     */
    rotate: (publish: number) =>
      db.transaction(async (inside) => {
        const { signingKeys } = inside
        const keys = await signingKeys.list()
        const next = keys.find(isNext)
        if (next) {
          const time = new Date(next.activeTime).toISOString()
          throw new OperatorError(`The key ${next.kid} is published already and signs from ${time} on.`)
        }
        const made = []
        for (const algorithm of algorithmsOf(keys)) {
          const key = await generate(algorithm, clock.now() + publish)
          await signingKeys.add(key)
          const after = { activeTime: key.activeTime }
          await audit.record(inside, operatorActor(), { action: 'key.rotate', target: targetOf(key.kid), after })
          made.push({ kid: key.kid, algorithm, activeTime: key.activeTime })
        }
        return made
      }),

    /**
     * Removes a key and ends all sessions that may have an access token of it. If it was the key that signs, another one signs at
     * once: the published next key or a new one.
     */
    revoke: (kid: string) =>
      db.transaction(async (inside) => {
        const { signingKeys, sessions } = inside
        const now = clock.now()
        const keys = withSuccessors(await signingKeys.list())
        const revoked = keys.find(({ key }) => key.kid === kid)
        if (!revoked) throw new OperatorError(`There is no signing key ${kid}. \`rollcall keys list\` shows the keys.`)
        await signingKeys.remove([kid])
        const { algorithm } = revoked.key
        const others = keys.map(({ key }) => key).filter((key) => key.kid !== kid && key.algorithm === algorithm)
        // An older key must not sign again.
        const isSigning = revoked.key.activeTime <= now && revoked.replacedTime > now
        if (isSigning || !others.some(({ activeTime }) => activeTime <= now)) {
          const next = others.findLast(isNext)
          if (next) await signingKeys.activate(next.kid, now)
          else await signingKeys.add(await generate(algorithm, now))
        }
        const window = { from: revoked.key.activeTime - tolerance, to: revoked.replacedTime + tolerance }
        // What an RS256 key signs is no access token.
        const ended =
          algorithm === 'ES256' ? await sessions.endInUse(window.from, Math.min(window.to, now + tolerance), now) : 0
        const after = { endedSessions: ended }
        await audit.record(inside, operatorActor(), { action: 'key.revoke', target: targetOf(kid), after })
        return { kid, ended }
      }),

    /** Deletes keys that nobody needs, and publishes the next key of an algorithm when its newest one is old enough. */
    async tidy(now: number): Promise<number> {
      const keys = await db.signingKeys.list()
      const ended = lifetimes.ended(keys, now).map(({ kid }) => kid)
      if (ended.length > 0) await db.signingKeys.remove(ended)
      const due = (all: StoredSigningKey[]) =>
        algorithmsOf(all).filter(
          (algorithm) =>
            rotateAfterDays > 0 &&
            all
              .filter((key) => key.algorithm === algorithm)
              .every(({ activeTime }) => activeTime + rotateAfterDays * day - publishTime <= now),
        )
      if (due(keys).length > 0) {
        await db.transaction(async ({ signingKeys }) => {
          // Another server may have been faster.
          for (const algorithm of due(await signingKeys.list()))
            await signingKeys.add(await generate(algorithm, now + publishTime))
        })
      }
      return ended.length
    },
  }
}

export type KeyRotation = ReturnType<typeof createKeyRotation>
