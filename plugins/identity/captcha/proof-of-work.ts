import { Type } from '@sinclair/typebox'
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { jsonReader } from '../../../lib/json-reader.js'
import type { CaptchaKind } from './kind.js'

/**
 * One derived key in 256 has this prefix. With the default cost, finding one takes 1.3 million rounds of PBKDF2: half a
 * second on a server core and about a second on a phone.
 */
const keyPrefix = '00'

/** The cost doubles after each of this many failed sign-ins of an address. */
const failuresPerDoubling = 10
/** PBKDF2 rounds of one key. The service derives one key to verify a solution, which takes 0.05 s at this cost. */
const maxCost = 100_000

const costAfter = (failures: number, cost: number): number =>
  Math.max(cost, Math.min(maxCost, cost * 2 ** Math.floor(failures / failuresPerDoubling)))

/** The decoded answer of the ALTCHA widget. */
const readPayload = jsonReader(
  Type.Object({ solution: Type.Object({ counter: Type.Number(), derivedKey: Type.String() }) }),
)
const readChallenge = jsonReader(
  Type.Unsafe<Challenge>(Type.Object({ parameters: Type.Object({}), signature: Type.String() })),
)

/** Proof of work (ALTCHA): the client derives PBKDF2 keys until one has the prefix. */
export const createProofOfWork = (secret: string, cost: number): CaptchaKind => {
  const hmacSignatureSecret = `rollcall proof of work ${secret}`
  return {
    captchaType: 'pow',

    async create(countFailures) {
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: costAfter(await countFailures(), cost),
        deriveKey,
        keyPrefix,
        hmacSignatureSecret,
      })
      const solve = async () => {
        const solution = await solveChallenge({ challenge, deriveKey })
        return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
      }
      return { stored: JSON.stringify(challenge), shown: { challenge }, solve }
    },

    // Checked against the stored challenge, not the one in the answer.
    async matches(stored, submitted) {
      const solution = readPayload(Buffer.from(submitted, 'base64').toString('utf8'))?.solution
      const challenge = readChallenge(stored)
      if (!solution || !challenge) return false
      try {
        return (await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).verified
      } catch {
        // The library throws for an invalid counter.
        return false
      }
    },
  }
}
