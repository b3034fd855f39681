import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, Solution } from 'altcha-lib/types'
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

/** What the widget of altcha sends: base64 of `{ challenge, solution }`. Undefined when it is anything else. */
const readSolution = (submitted: string): Solution | undefined => {
  try {
    const { solution } = JSON.parse(Buffer.from(submitted, 'base64').toString('utf8')) as { solution?: Solution }
    return typeof solution?.counter === 'number' && typeof solution.derivedKey === 'string' ? solution : undefined
  } catch {
    return undefined
  }
}

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
      const solution = readSolution(submitted)
      if (!solution) return false
      const challenge = JSON.parse(kept) as Challenge
      try {
        return (await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).verified
      } catch {
        // A counter that is no counter: the library throws, we refuse.
        return false
      }
    },
  }
}
