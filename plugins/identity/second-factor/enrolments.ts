import { Type } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'
import { foldCode } from '../../../lib/fold-code.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { Encryption } from '../../sessions/encryption/encryption.js'
import { clockOffsetOf, enrolmentOf, newSecret, stepOf } from './totp.js'

/** Time to scan the picture and type a code, seconds. */
const lifetime = 900

const readPending = jsonReader(Type.Object({ secret: Type.String() }))

/** A secret whose first code was right. The step of this code counts as used. */
export interface ConfirmedSecret {
  secret: string
  step: number
}

/**
 * Authenticator apps that are being set up. A secret is kept in the store until its first code is right, bound to a session or a ticket,
 * so that beginning anew never touches the app that works.
 */
export const createEnrolments = (store: Store, encryption: Encryption, clock: Clock, issuer: string) => {
  const placeOf = (owner: string, key: string) => `factor:enrol:${owner}:${key}`

  return {
    /** A new secret for the session or ticket `owner`. */
    async begin(owner: string, account: string) {
      const key = randomId()
      const secret = await newSecret()
      const place = placeOf(owner, key)
      await store.set(place, encryption.encrypt(JSON.stringify({ secret }), place), lifetime * 1000)
      return { key, secret, ...(await enrolmentOf(secret, { issuer, account })), expiresIn: lifetime }
    },

    /**
     * Checks the first code. Throws `invalid_grant` for a key that is unknown or used, and `invalid_code`, with `clockOffset` in seconds
     * when the code is that of another time within ten minutes.
     */
    async check(owner: string, key: string, text: string): Promise<ConfirmedSecret> {
      const place = placeOf(owner, key)
      const stored = await store.get(place)
      const pending = stored === undefined ? undefined : readPending(encryption.tryDecrypt(stored, place) ?? '')
      if (!pending) throw problem('invalid_grant')
      const { secret } = pending
      const code = foldCode(text)
      const step = await stepOf(secret, code, clock.now())
      if (step !== undefined) return { secret, step }
      const clockOffset = await clockOffsetOf(secret, code, clock.now())
      throw problem('invalid_code', clockOffset === undefined ? {} : { data: { clockOffset } })
    },

    /** Uses the key up: of parallel callers one succeeds, the others get `invalid_grant`. */
    async take(owner: string, key: string): Promise<void> {
      if ((await store.take(placeOf(owner, key))) === undefined) throw problem('invalid_grant')
    },
  }
}

export type Enrolments = ReturnType<typeof createEnrolments>
