import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'
import { foldCode } from '../../../lib/fold-code.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { Encryption } from '../../run/encryption/encryption.js'
import { spend } from './spend.js'
import { clockOffsetOf, enrolmentOf, newSecret, stepOf } from './totp.js'

/** Time to scan the picture and type a code, seconds. */
const lifetime = 900

/** Set-ups of one session or ticket at the same time: a further one takes the place of the earliest. */
const maxPending = 4

const readPending = jsonReader(Type.Object({ key: Type.String(), secret: Type.String() }))

/** A secret whose first code was right. The step of this code counts as used. */
export interface ConfirmedSecret {
  secret: string
  step: number
}

/**
 * Authenticator apps that are being set up. A secret is kept in the store until its first code is right, bound to a session or a ticket
 * and to the state of the account, so that beginning anew never touches the app that works. Keys of the store show neither.
 */
export const createEnrolments = (store: Store, encryption: Encryption, clock: Clock, issuer: string) => {
  const placeOf = (owner: string, slot: string) => `factor:enrol:${hash('sha256', `${owner} ${slot}`, 'base64url')}`
  // Under another name: a new master secret encrypts the places anew.
  const countOf = (owner: string) => `factor:set-ups:${hash('sha256', owner, 'base64url')}`
  // A key begins with the number of its place.
  const placeOfKey = (owner: string, key: string) => placeOf(owner, key.slice(0, 1))
  const read = (stored: string | undefined, place: string, key: string) => {
    const pending = stored === undefined ? undefined : readPending(encryption.tryDecrypt(stored, place) ?? '')
    if (pending?.key !== key) throw problem('invalid_grant')
    return pending
  }

  return {
    /** A new secret for the session or ticket `owner`. */
    async begin(owner: string, account: string) {
      const { count } = await store.increment(countOf(owner), 1, lifetime * 1000)
      const key = `${count % maxPending}${randomId()}`
      const secret = await newSecret()
      const place = placeOfKey(owner, key)
      await store.set(place, encryption.encrypt(JSON.stringify({ key, secret }), place), lifetime * 1000)
      return { key, secret, ...(await enrolmentOf(secret, { issuer, account })), expiresIn: lifetime }
    },

    /**
     * Checks the first code. Throws `invalid_grant` for a key that is unknown or used, and `invalid_code`, with `clockOffset` in seconds
     * when the code is that of another time within ten minutes.
     */
    async check(owner: string, key: string, text: string): Promise<ConfirmedSecret> {
      const place = placeOfKey(owner, key)
      const { secret } = read(await store.get(place), place, key)
      const code = foldCode(text)
      const step = await stepOf(secret, code, clock.now())
      if (step !== undefined) return { secret, step }
      const clockOffset = await clockOffsetOf(secret, code, clock.now())
      throw problem('invalid_code', clockOffset === undefined ? {} : { data: { clockOffset } })
    },

    /** Uses the key up unless `work` fails: of parallel callers one runs it, the others get `invalid_grant`. */
    spend<T>(owner: string, key: string, work: () => Promise<T>): Promise<T> {
      const place = placeOfKey(owner, key)
      // A later set-up may have taken the place meanwhile.
      return spend(store, clock, place, work, (stored) => read(stored, place, key))
    },
  }
}

export type Enrolments = ReturnType<typeof createEnrolments>
