import type { SignInName } from '../../../db/sign-in-names.js'
import type { Settings } from '../../../schemas/settings.js'
import { addressKey } from '../../../lib/address-key.js'
import type { Attempt } from './attempt.js'
import { codeCounters } from './code-counters.js'
import type { NameHistory, Names } from './name-history.js'
import { createPasswordCounters } from './password-counters.js'
import type { FailureCounter, ThrottleCounter } from './throttle-counters.js'

/** The counters in which the failure of one attempt is counted. */
export interface AttemptCounters {
  /** The first one is per source and counted before the others, so that a locked source does not use up their limits. */
  all: ThrottleCounter[]
  /** How many of these, from the first one on, are of the name: an unlock of the account resets them. */
  ofName: number
  resetOnSuccess: FailureCounter[]
  /** Those of the address and the device of the attempt alone. */
  ofSource: ThrottleCounter[]
  /** Those whose failures decide whether a captcha is needed. */
  reported: { name?: FailureCounter; address?: FailureCounter }
}

/** Chooses the counters of an attempt. `countAddresses` false leaves out the counters of network addresses. */
export const createCountersOfAttempt = (
  names: Pick<Names, 'counterOf' | 'readHistory'>,
  { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const { nameFailures, nameFailuresAnywhere, addressFailures } = lockout
  const passwords = createPasswordCounters(lockout)

  const ofAddress = (address: string) => ({
    key: `attempts:address:${address}`,
    limit: addressFailures,
    isReported: true,
  })

  const choose = (attempt: Attempt, history: NameHistory): AttemptCounters => {
    const { subject, code } = attempt
    const address = addressKey(attempt.address)
    const perAddress = ofAddress(address)
    const addresses = countAddresses ? [perAddress] : []
    if (subject === undefined) {
      // Tickets and authorization codes are too long to guess, and all people behind one address share this counter:
      // so it has the higher limit.
      const perSource = { key: `attempts:here:${history.counterKey}:${address}`, limit: nameFailuresAnywhere }
      const all = [perSource, ...addresses]
      return { all, ofName: 0, resetOnSuccess: [perSource], ofSource: [perSource], reported: { address: perAddress } }
    }
    if (code) {
      const { perSource, budgets } = codeCounters(attempt, history, code, address, nameFailures)
      const others = attempt.device === undefined ? addresses : []
      return {
        all: [perSource, ...budgets, ...others],
        ofName: 1 + budgets.length,
        resetOnSuccess: [perSource],
        ofSource: [perSource],
        reported: { address: perAddress },
      }
    }
    const { isProven, perSource, global, sourceBudgets, budget } = passwords.of(attempt, history, address)
    // A known device or session is not locked out because others at its address failed with other names.
    const others = isProven ? [] : addresses
    const ofName = [perSource, global, ...sourceBudgets, budget]
    return {
      all: [...ofName, ...others],
      ofName: ofName.length,
      resetOnSuccess: [perSource, global],
      ofSource: [perSource, ...sourceBudgets],
      reported: { name: global, address: perAddress },
    }
  }

  return {
    /** Counts the failures at a network address, over all tenants and names. */
    ofAddress: (address: string): FailureCounter => ofAddress(addressKey(address)),

    /** The counter that locks a name for strangers. */
    ofStrangers: async (tenantId: number, subject: SignInName): Promise<FailureCounter> =>
      passwords.ofStrangers(await names.counterOf(tenantId, subject)),

    async of(attempt: Attempt, known?: NameHistory): Promise<AttemptCounters & { history: NameHistory }> {
      const { tenantId, subject, address } = attempt
      const history = known ?? (await names.readHistory(tenantId, subject, address))
      return { ...choose(attempt, history), history }
    },
  }
}
