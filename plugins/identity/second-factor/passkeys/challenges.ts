import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Repositories } from '../../../../db/index.js'
import type { Clock } from '../../../../lib/clock.js'

/** Validity of a challenge, seconds. */
export const challengeLifetime = 300
const nonceBytes = 16
const separator = '|'

/** `signIn`: proves a passkey; `register`: makes one. */
export type ChallengePurpose = 'signIn' | 'register'

/** For what a challenge was made: a ticket or a session, or a sign-in of anybody. */
export interface ChallengeUse {
  purpose: ChallengePurpose
  /** The ticket, or the id of the session; absent: a sign-in by a first method. */
  boundTo?: string | undefined
}

/** Why a challenge is refused, for the log. */
export type ChallengeFault =
  'forged challenge' | 'expired challenge' | 'challenge of another request' | 'used challenge'

const digest = (text: string): string => hash('sha256', text, 'base64url')

/**
 * Challenges of WebAuthn. One is `nonce | expiry | purpose | binding | HMAC`, so that strangers who ask for one write nothing. After
 * a success it is remembered until it expires, and is good for nothing else.
 */
export const createChallenges = (secret: string, clock: Clock) => {
  const key = createHmac('sha256', secret).update('challenges of passkeys').digest()
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const bindingOf = ({ boundTo }: ChallengeUse): string => (boundTo === undefined ? '' : digest(boundTo))

  return {
    /** base64url. */
    issue(use: ChallengeUse): string {
      const expiry = clock.now() + challengeLifetime * 1000
      const text = [randomBytes(nonceBytes).toString('base64url'), expiry, use.purpose, bindingOf(use)].join(separator)
      return Buffer.from(`${text}${separator}${sign(text).toString('base64url')}`).toString('base64url')
    },

    /** Undefined for a challenge that was made for this use and has not expired. */
    faultOf(challenge: string, use: ChallengeUse): ChallengeFault | undefined {
      const text = Buffer.from(challenge, 'base64url').toString()
      const end = text.lastIndexOf(separator)
      const signed = text.slice(0, Math.max(end, 0))
      const [given, expected] = [Buffer.from(text.slice(end + 1), 'base64url'), sign(signed)]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged challenge'
      const [, expiry = '', purpose, binding] = signed.split(separator)
      if (Number(expiry) <= clock.now()) return 'expired challenge'
      return purpose === use.purpose && binding === bindingOf(use) ? undefined : 'challenge of another request'
    },

    /** Uses a challenge up: of parallel callers one succeeds, the others get a fault. Only its hash is stored. */
    async use({ usedOnce }: Pick<Repositories, 'usedOnce'>, challenge: string): Promise<ChallengeFault | undefined> {
      const now = clock.now()
      const isFirst = await usedOnce.use(`factor:${digest(challenge)}`, now + challengeLifetime * 1000, now)
      return isFirst ? undefined : 'used challenge'
    },
  }
}

export type Challenges = ReturnType<typeof createChallenges>
