import type { Passkey } from '../../../db/repositories/passkeys.js'
import type { TotpSecret } from '../../../db/repositories/totp-secrets.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { foldCode } from '../../../lib/fold-code.js'
import { problem } from '../../../lib/problem.js'
import type { ActorSource } from '../../../lib/actor.js'
import type { UseProof } from '../../sessions/sessions/start.js'
import type { Passkeys } from './passkeys/passkeys.js'
import { stateOfFactors } from './credential-state.js'
import { hashOfCode } from './recovery-codes.js'
import { clockOffsetOf, stepLength, stepOf } from './totp.js'

/** Kinds of factors that an account may have. */
export type FactorKind = 'passkey' | 'totp' | 'recovery'

/** The most convenient first. */
const kinds: FactorKind[] = ['passkey', 'totp', 'recovery']

/** A second factor that was proved: its methods by RFC 8176. It counts when it is used, which a parallel request may do first. */
export interface ProvedFactor {
  kind: FactorKind
  amr: string[]
  use: UseProof
}

/**
 * Checks what somebody shows for a factor. `boundTo` is the ticket or the session for which the challenge of a passkey was made. Throws
 * `invalid_code`, `unknown_credential` and `invalid_grant`.
 */
export type ProveFactor = (
  shown: { code?: string | undefined; credential?: unknown },
  boundTo: string,
  client: ActorSource,
) => Promise<ProvedFactor>

/** Methods of a passkey by RFC 8176: possession of a key, and the presence of a person. */
export const passkeyAmr = ['pop', 'user']

/** Purpose of the encryption of a secret. */
export const purposeOf = (id: string): string => `totp ${id}`

/** Proves second factors of accounts. */
export const createFactors = (
  { clock, db, encryption, store }: Needs<'clock' | 'db' | 'encryption' | 'store'>,
  webauthn: Pick<Passkeys, 'rpId' | 'prove'>,
) => {
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
  const proveTotp = async (apps: TotpSecret[], text: string): Promise<ProvedFactor> => {
    const code = foldCode(text)
    const now = clock.now()
    let wasUsed = false
    let offset: number | undefined
    for (const { id, encryptedSecret, lastStep } of apps) {
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

  const isHere = (passkey: Passkey): boolean => passkey.rpId === webauthn.rpId

  const provers: Record<FactorKind, (user: User) => Promise<ProveFactor | undefined>> = {
    async passkey(user) {
      if (!(await db.passkeys.ofUser(user.id)).some(isHere)) return undefined
      return async ({ credential }, boundTo, client) => {
        const { use } = await webauthn.prove(credential, { user, boundTo }, client)
        return { kind: 'passkey', amr: [...passkeyAmr, 'mfa'], use }
      }
    },
    async totp(user) {
      const apps = await db.totpSecrets.ofUser(user.id)
      return apps.length === 0 ? undefined : ({ code = '' }) => proveTotp(apps, code)
    },
    async recovery(user) {
      if ((await db.recoveryCodes.left(user.id)) === 0) return undefined
      return ({ code = '' }) => proveRecovery(user, code)
    },
  }

  /** The kinds of factors with which an account can finish a sign-in, and the state of its factors, which a change of them changes. */
  const held = async ({ id }: Pick<User, 'id'>): Promise<{ kinds: FactorKind[]; state: string }> => {
    const [apps, passkeys, codes] = await Promise.all([
      db.totpSecrets.ofUser(id),
      db.passkeys.ofUser(id),
      db.recoveryCodes.left(id),
    ])
    const has = { passkey: passkeys.some(isHere), totp: apps.length > 0, recovery: codes > 0 }
    return { kinds: kinds.filter((kind) => has[kind]), state: stateOfFactors([...apps, ...passkeys]) }
  }

  return {
    held,

    /** The kinds of factors with which an account can finish a sign-in. */
    kindsOf: async (user: Pick<User, 'id'>): Promise<FactorKind[]> => (await held(user)).kinds,

    /** Whether an account can finish a sign-in with a passkey. */
    hasPasskey: async ({ id }: Pick<User, 'id'>): Promise<boolean> => (await db.passkeys.ofUser(id)).some(isHere),

    /** How a factor of this kind is proved. Throws `unsupported_auth_type` for an account that has none. */
    async proverOf(user: User, kind: FactorKind): Promise<ProveFactor> {
      const prover = await provers[kind](user)
      if (!prover) throw problem('unsupported_auth_type')
      return prover
    },

    recoveryCodesLeft: ({ id }: Pick<User, 'id'>): Promise<number> => db.recoveryCodes.left(id),
  }
}

export type Factors = ReturnType<typeof createFactors>
