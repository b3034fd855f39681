import { hashFloor } from '../../../schemas/settings.js'
import type { HashWork } from './hash-threads.js'

/** What new hashes cost. */
export interface HashCost {
  memoryKiB: number
  passes: number
}

/** Imported argon2 hashes may cost so many times what new ones cost: 64 MiB in four passes are within it. */
const maxCostFactor = 8
/** The same for bcrypt, whose cost doubles with each step. */
const maxBcryptCost = 13
const maxParallelism = 4
/** Hashes that take much longer than new ones are computed one at a time, apart from the others. */
const slow = { costFactor: 2, bcryptCost: 10 }
/** bcrypt ignores the bytes after this one, so a longer password would match by its beginning. */
const maxBcryptBytes = 72

/** Runs a hash function in a thread. */
export type RunHash = <N extends keyof HashWork>(
  name: N,
  ...values: Parameters<HashWork[N]>
) => Promise<ReturnType<HashWork[N]>>

type HashParameters = Record<string, string>

interface Algorithm {
  form: RegExp
  /** The prefix that all hashes with these parameters share. */
  kind: (parameters: HashParameters) => string
  /** Whether a hash with these parameters is computed where new ones cost `cost` (KiB times passes). */
  isBounded: (parameters: HashParameters, cost: number) => boolean
  isSlow: (parameters: HashParameters, cost: number) => boolean
  verify: (run: RunHash, stored: string, password: string) => Promise<boolean>
}

/** A stored hash that can be computed. */
export interface UsableHash {
  isSlow: boolean
  verify: (run: RunHash, password: string) => Promise<boolean>
}

/** The supported forms of stored hashes. New passwords are hashed with the first. */
const algorithms: Algorithm[] = [
  {
    kind: ({ m = '', t = '', p = '' }) => `$argon2id$v=19$m=${m},t=${t},p=${p}$`,
    form: /^\$argon2id\$v=19\$m=(?<m>\d{1,9}),t=(?<t>\d{1,9}),p=(?<p>\d{1,3})\$[\w+/]+\$[\w+/]+$/,
    isBounded: ({ m, t, p }, cost) => Number(m) * Number(t) <= maxCostFactor * cost && Number(p) <= maxParallelism,
    isSlow: ({ m, t }, cost) => Number(m) * Number(t) > slow.costFactor * cost,
    verify: (run, stored, password) => run('argon2', stored, password),
  },
  {
    kind: ({ cost = '' }) => `$2b$${cost}$`,
    form: /^\$2[aby]\$(?<cost>\d\d)\$[./\w]{53}$/,
    isBounded: ({ cost }) => Number(cost) >= 4 && Number(cost) <= maxBcryptCost,
    isSlow: ({ cost }) => Number(cost) > slow.bcryptCost,
    async verify(run, stored, password) {
      const fits = Buffer.byteLength(password) <= maxBcryptBytes
      // A longer password takes the same time, so that the time does not show which kind of hash is stored.
      const matches = await run('bcrypt', fits ? password : '', stored.replace(/^\$2y/, '$2b'))
      return matches && fits
    },
  },
]

/** Whether a text has the form of a bcrypt or argon2 hash, supported or not. */
export const looksLikeHash = (text: string): boolean => /^\s*\$(2[abxy]?|argon2(id|i|d))\$/.test(text)

/**
 * The stored hashes that can be computed where new ones cost this. Dearer ones never are, wherever they came from: a few
 * sign-ins would take all memory and processors.
 */
export const createAlgorithms = ({ memoryKiB, passes }: HashCost) => {
  const cost = Math.max(memoryKiB * passes, hashFloor.memoryKiB * hashFloor.passes)

  const find = (stored: string) => {
    for (const algorithm of algorithms) {
      const parameters = algorithm.form.exec(stored)?.groups
      if (parameters) return algorithm.isBounded(parameters, cost) ? { algorithm, parameters } : undefined
    }
    return undefined
  }

  return {
    /** Undefined if the form of the stored hash is unknown or it costs too much. */
    find: (stored: string): UsableHash | undefined => {
      const found = find(stored)
      if (!found) return undefined
      const { algorithm, parameters } = found
      return {
        isSlow: algorithm.isSlow(parameters, cost),
        verify: (run, password) => algorithm.verify(run, stored, password),
      }
    },

    /** The algorithm and parameters of a stored hash, which decide how long it takes; undefined as for `find`. */
    kindOf: (stored: string): string | undefined => {
      const found = find(stored)
      return found?.algorithm.kind(found.parameters)
    },

    /** Whether a stored hash is weaker than new ones. */
    isWeaker: (stored: string): boolean => {
      const { m, t } = algorithms[0]?.form.exec(stored)?.groups ?? {}
      return m === undefined || Number(m) < memoryKiB || Number(t) < passes
    },
  }
}

export type Algorithms = ReturnType<typeof createAlgorithms>
