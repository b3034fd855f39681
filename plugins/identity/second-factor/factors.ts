import type { Database } from '../../../db/index.js'
import type { User } from '../../../db/repositories/users.js'
import type { Clock } from '../../../lib/clock.js'
import { foldCode } from '../../../lib/fold-code.js'
import { problem } from '../../../lib/problem.js'
import type { ActorSource } from '../../../lib/actor.js'
import type { UseProof } from '../../sessions/sessions/start.js'
import type { Encryption } from '../../run/encryption/encryption.js'
import type { Store } from '../../../db/repositories/store.js'
import type { Passkeys } from './passkeys/passkeys.js'
import { hashOfCode } from './recovery-codes.js'
import { clockOffsetOf, stepLength, stepOf } from './totp.js'

/** Ways to prove a second factor by a code. */
export type CodeFactor = 'totp' | 'recovery'
/** Kinds of factors that an account may have. */
export type FactorKind = 'passkey' | CodeFactor

/** The most convenient first. */
const kinds: FactorKind[] = ['passkey', 'totp', 'recovery']

/** A second factor that was proved: its methods by RFC 8176. It counts when it is used, which a parallel request may do first. */
export interface ProvedFactor {
  kind: FactorKind
  amr: string[]
  use: UseProof
}

interface Collaborators {
  db: Database
  encryption: Encryption
  clock: Clock
  store: Pick<Store, 'get' | 'set'>
  passkeys: Pick<Passkeys, 'rpId' | 'prove'>
}

/** Methods of a passkey by RFC 8176: possession of a key, and the presence of a person. */
export const passkeyAmr = ['pop', 'user']

/** Purpose of the encryption of a secret. */
export const purposeOf = (id: string): string => `totp ${id}`

/** Proves second factors of accounts. All throw `invalid_code` for a code that is wrong or used. */
export const createFactors = ({ db, encryption, clock, store, passkeys: webauthn }: Collaborators) => {
  /** Steps whose code somebody has tried too early: the answer has told that it will be right. */
  const toldKey = (id: string, step: number) => `factor:told:${id}:${step}`

  /**
   * By how many seconds the clock of the device is ahead, if a wrong code is that of another time; undefined if it is none. A code of the future is
   * refused when its time comes: otherwise a guess would have twenty times as many codes to hit.
   */
  const clockOffset = async (id: string, secret: string, code: string, now: number): Promise<number | undefined> => {
    const offset = await clockOffsetOf(secret, code, now)
    if (offset === undefined || offset < 0) return offset
    const step = Math.floor(now / stepLength) + (offset * 1000) / stepLength
    // Until no clock takes it any more.
    await store.set(toldKey(id, step), '', offset * 1000 + 4 * stepLength)
    return offset
  }

  /** Checks a code of one of the apps of the user, which is good once: an earlier step than the last one is refused, too (RFC 6238 5.2). */
  const proveTotp = async (user: User, text: string): Promise<ProvedFactor> => {
    const code = foldCode(text)
    const now = clock.now()
    let wasUsed = false
    let offset: number | undefined
    for (const { id, encryptedSecret, lastStep } of await db.totpSecrets.ofUser(user.id)) {
      const secret = encryption.decrypt(encryptedSecret, purposeOf(id))
      const step = await stepOf(secret, code, now)
      if (step === undefined) {
        offset ??= await clockOffset(id, secret, code, now)
        continue
      }
      if ((await store.get(toldKey(id, step))) !== undefined) continue
      if (step > lastStep)
        return {
          kind: 'totp',
          amr: ['otp', 'mfa'],
          async use({ totpSecrets }) {
            if (!(await totpSecrets.useStep(id, step, now))) throw problem('invalid_code', { wasUsed: true })
          },
        }
      wasUsed = true
    }
    throw problem('invalid_code', {
      wasUsed,
      ...(!wasUsed && offset !== undefined && { data: { clockOffset: offset } }),
    })
  }

  const proveRecovery = async (user: User, text: string): Promise<ProvedFactor> => {
    const hash = hashOfCode(user.id, text)
    const state = await db.recoveryCodes.stateOf(user.id, hash)
    if (state !== 'unused') throw problem('invalid_code', { wasUsed: state === 'used' })
    return {
      kind: 'recovery',
      amr: ['otp', 'mfa'],
      async use({ recoveryCodes }) {
        if (!(await recoveryCodes.use(user.id, hash, clock.now()))) throw problem('invalid_code', { wasUsed: true })
      },
    }
  }

  const hasKind: Record<FactorKind, (userId: number) => Promise<boolean>> = {
    passkey: async (userId) => (await db.passkeys.ofUser(userId)).some((passkey) => passkey.rpId === webauthn.rpId),
    totp: async (userId) => (await db.totpSecrets.ofUser(userId)).length > 0,
    recovery: async (userId) => (await db.recoveryCodes.left(userId)) > 0,
  }

  return {
    /** The kinds of factors with which an account can finish a sign-in. */
    async kindsOf({ id }: Pick<User, 'id'>): Promise<FactorKind[]> {
      const has = await Promise.all(kinds.map((kind) => hasKind[kind](id)))
      return kinds.filter((_, index) => has[index])
    },

    /** Whether an account can finish a sign-in with a factor of this kind. */
    has: ({ id }: Pick<User, 'id'>, kind: FactorKind): Promise<boolean> => hasKind[kind](id),

    recoveryCodesLeft: ({ id }: Pick<User, 'id'>): Promise<number> => db.recoveryCodes.left(id),

    proveCode: (kind: CodeFactor, user: User, code: string): Promise<ProvedFactor> =>
      kind === 'totp' ? proveTotp(user, code) : proveRecovery(user, code),

    /** `boundTo` is the ticket or the session for which the challenge was made. Throws `unknown_credential` and `invalid_grant`. */
    async provePasskey(user: User, credential: unknown, boundTo: string, client: ActorSource): Promise<ProvedFactor> {
      const { use } = await webauthn.prove(credential, { user, boundTo }, client)
      return { kind: 'passkey', amr: [...passkeyAmr, 'mfa'], use }
    },
  }
}

export type Factors = ReturnType<typeof createFactors>
