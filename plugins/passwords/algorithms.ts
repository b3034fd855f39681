import { hashBounds } from '../../schemas/settings.js'
import type { HashWork } from './hash-threads.js'

/** Upper bounds for the parameters of a stored hash, so that an imported hash cannot overload the service. */
const bounds = { ...hashBounds, parallelism: 16, bcryptCost: 14 }
/** bcrypt ignores the bytes after this one, so a longer password would match by its beginning. */
const maxBcryptBytes = 72

/** Runs a hash function in a thread. */
export type RunHash = <N extends keyof HashWork>(
  name: N,
  ...values: Parameters<HashWork[N]>
) => Promise<ReturnType<HashWork[N]>>

interface Algorithm {
  form: RegExp
  /** The prefix that all hashes with these parameters share. */
  kind: (parameters: Record<string, string>) => string
  isBounded: (parameters: Record<string, string>) => boolean
  verify: (run: RunHash, stored: string, password: string) => Promise<boolean>
}

/** The supported forms of stored hashes. New passwords are hashed with the first. */
const algorithms: Algorithm[] = [
  {
    kind: ({ m = '', t = '', p = '' }) => `$argon2id$v=19$m=${m},t=${t},p=${p}$`,
    form: /^\$argon2id\$v=19\$m=(?<m>\d{1,9}),t=(?<t>\d{1,9}),p=(?<p>\d{1,3})\$[\w+/]+\$[\w+/]+$/,
    isBounded: ({ m, t, p }) =>
      Number(m) <= bounds.memoryKiB && Number(t) <= bounds.passes && Number(p) <= bounds.parallelism,
    verify: (run, stored, password) => run('argon2', stored, password),
  },
  {
    kind: ({ cost = '' }) => `$2b$${cost}$`,
    form: /^\$2[aby]\$(?<cost>\d\d)\$[./\w]{53}$/,
    isBounded: ({ cost }) => Number(cost) >= 4 && Number(cost) <= bounds.bcryptCost,
    async verify(run, stored, password) {
      const fits = Buffer.byteLength(password) <= maxBcryptBytes
      // A longer password takes the same time, so that the time does not show which kind of hash is stored.
      const matches = await run('bcrypt', fits ? password : '', stored.replace(/^\$2y/, '$2b'))
      return matches && fits
    },
  },
]

const find = (stored: string) => {
  for (const algorithm of algorithms) {
    const parameters = algorithm.form.exec(stored)?.groups
    if (parameters) return algorithm.isBounded(parameters) ? { algorithm, parameters } : undefined
  }
  return undefined
}

/** The function that verifies a stored hash; undefined if its form is unknown or its parameters exceed the bounds. */
export const findAlgorithm = (stored: string): Algorithm['verify'] | undefined => find(stored)?.algorithm.verify

/**
 * The algorithm and parameters of a stored hash, which decide how long it takes; undefined if its form is unknown or its
 * parameters exceed the bounds.
 */
export const kindOf = (stored: string): string | undefined => {
  const found = find(stored)
  return found?.algorithm.kind(found.parameters)
}

/** Whether a text has the form of a bcrypt or argon2 hash, supported or not. */
export const looksLikeHash = (text: string): boolean => /^\s*\$(2[abxy]?|argon2(id|i|d))\$/.test(text)

/** Whether a stored hash is weaker than these parameters of new hashes. */
export const isWeaker = (stored: string, { memoryKiB, passes }: { memoryKiB: number; passes: number }): boolean => {
  const { m, t } = algorithms[0]?.form.exec(stored)?.groups ?? {}
  return m === undefined || Number(m) < memoryKiB || Number(t) < passes
}
