import { hashBounds } from '../../schemas/settings.js'
import type { HashWork } from './hash-threads.js'

/** Upper bounds of what a stored hash may cost: one that was imported must not stop the service. */
const bounds = { ...hashBounds, lanes: 16, bcryptCost: 14 }
/** bcrypt looks no further: a longer password would match by its beginning. Bytes. */
const bcryptLength = 72

/** Has a thread do something. */
export type RunHash = <N extends keyof HashWork>(
  name: N,
  ...values: Parameters<HashWork[N]>
) => Promise<ReturnType<HashWork[N]>>

interface Algorithm {
  form: RegExp
  /** What all hashes of the same cost begin with. */
  kind: (parameters: Record<string, string>) => string
  /** Whether the parameters of a hash of this form are within bounds. */
  isBounded: (parameters: Record<string, string>) => boolean
  verify: (run: RunHash, stored: string, password: string) => Promise<boolean>
}

/** The kinds of stored hashes. New passwords always get the first. */
const algorithms: Algorithm[] = [
  {
    kind: ({ m = '', t = '', p = '' }) => `$argon2id$v=19$m=${m},t=${t},p=${p}$`,
    form: /^\$argon2id\$v=19\$m=(?<m>\d{1,9}),t=(?<t>\d{1,9}),p=(?<p>\d{1,3})\$[\w+/]+\$[\w+/]+$/,
    isBounded: ({ m, t, p }) =>
      Number(m) <= bounds.memoryKiB && Number(t) <= bounds.passes && Number(p) <= bounds.lanes,
    verify: (run, stored, password) => run('argon2', stored, password),
  },
  {
    kind: ({ cost = '' }) => `$2b$${cost}$`,
    form: /^\$2[aby]\$(?<cost>\d\d)\$[./\w]{53}$/,
    isBounded: ({ cost }) => Number(cost) >= 4 && Number(cost) <= bounds.bcryptCost,
    async verify(run, stored, password) {
      const fits = Buffer.byteLength(password) <= bcryptLength
      // A longer one takes the same time, so that nobody learns what kind of hash it is.
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

/** How to verify a stored hash; undefined for a form that is not known or costs too much. */
export const findAlgorithm = (stored: string): Algorithm['verify'] | undefined => find(stored)?.algorithm.verify

/** What decides how long a hash takes; undefined for a form that is not known or costs too much. */
export const kindOf = (stored: string): string | undefined => {
  const found = find(stored)
  return found?.algorithm.kind(found.parameters)
}

/** Whether a text is a hash of bcrypt or argon2, be it one that can be taken over or not. */
export const looksLikeHash = (text: string): boolean => /^\s*\$(2[abxy]?|argon2(id|i|d))\$/.test(text)

/** Whether a stored hash is weaker than what new passwords get. Memory in KiB. */
export const isWeaker = (stored: string, { memoryKiB, passes }: { memoryKiB: number; passes: number }): boolean => {
  const { m, t } = algorithms[0]?.form.exec(stored)?.groups ?? {}
  return m === undefined || Number(m) < memoryKiB || Number(t) < passes
}
