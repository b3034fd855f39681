import { Type } from '@sinclair/typebox'
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { jsonReader } from '../../lib/json-reader.js'
import type { CaptchaKind } from './kind.js'

/**
 * One key in 256 begins so: with the default cost 1.3 million rounds of PBKDF2, half a second on a core of a server and
 * about a second on a phone.
 */
const keyPrefix = '00'

/** So many failed sign-ins of an address double the work. */
const failuresToDouble = 10
/** The service derives one key of a proof itself: 0.05 s at this cost. */
const maxCost = 100_000

const costAfter = (failures: number, cost: number): number =>
  Math.max(cost, Math.min(maxCost, cost * 2 ** Math.floor(failures / failuresToDouble)))

/** What the widget of altcha sends, in base64. */
const readPayload = jsonReader(
  Type.Object({ solution: Type.Object({ counter: Type.Number(), derivedKey: Type.String() }) }),
)
const readChallenge = jsonReader(
  Type.Unsafe<Challenge>(Type.Object({ parameters: Type.Object({}), signature: Type.String() })),
)

/** Work for the machine instead of a picture for the person: PBKDF2 keys until one begins with zeros. */
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
      return { kept: JSON.stringify(challenge), shown: { challenge }, solve }
    },

    // Judged by the challenge that was kept, not by the one that comes back.
    async matches(kept, submitted) {
      const solution = readPayload(Buffer.from(submitted, 'base64').toString('utf8'))?.solution
      const challenge = readChallenge(kept)
      if (!solution || !challenge) return false
      try {
        return (await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).verified
      } catch {
        // A counter that is no counter: the library throws, we refuse.
        return false
      }
    },
  }
}
