import type { Settings } from '../../schemas/settings.js'
import type { Attempt } from './attempt.js'
import type { NameHistory } from './names.js'
import type { DailyBudget, FailureCounter } from './throttle-counters.js'

/** NIST SP 800-63B 3.2.2: failures of a name, from all sources together, before a lockout. */
const maxFailures = 100

/**
 * Strangers, which are all clients other than known devices, known addresses and signed-in users, get
 * `lockout.nameFailuresAnywhere` of these failures. Known sources share the rest in these proportions.
 */
const partOfKnown = { device: 0.4, address: 0.4, session: 0.2 }
type KnownSource = keyof typeof partOfKnown

/**
 * A user name, a phone number and an e-mail address. Each has a third of the limits of an account, whether or not an account
 * has it: together they have those of one account, and no refusal shows which names belong together. Sessions have all of
 * their part, because they ask for the password of the user name only.
 */
const namesOfAccount = 3
const third = (limit: number): number => Math.max(1, Math.floor(limit / namesOfAccount))

/**
 * Wrong passwords for an account; twice as many fit in a day: 2 * (350 + 3 * 50) = 1000. Wrong codes come on top: an account
 * with two contacts may have 2 * (49 + 2 * 40) = 258 of them.
 */
const bursts = { stranger: third(350), device: third(50), address: third(50), session: 50 }
/**
 * The same for tries from one network address: 2 * (3 * (8 + 6) + 8) = 100 in a day; with wrong codes 2 * (50 + 4 * 6) =
 * 148.
 */
const burstsPerAddress = { stranger: third(25), address: third(25), device: third(20), session: 8 }
/** The same for one device or session, so that a stolen one cannot use up the limit of the others. */
const burstPerSource = { device: third(15), session: 15 }

/** Creates the counters of tried passwords. */
export const createPasswordCounters = ({ nameFailures, nameFailuresAnywhere }: Settings['lockout']) => {
  const limitOfKnown = (known: KnownSource) => Math.floor((maxFailures - nameFailuresAnywhere) * partOfKnown[known])

  const ofStrangers = (counterKey: string): FailureCounter => ({
    key: `attempts:name:${counterKey}`,
    limit: third(nameFailuresAnywhere),
    isReported: true,
  })
  const ofKnown = (counterKey: string, known: KnownSource): FailureCounter => ({
    key: `attempts:any-${known}:${counterKey}`,
    limit: known === 'session' ? limitOfKnown(known) : third(limitOfKnown(known)),
    isReported: true,
  })

  /**
   * The kind of source whose limit an attempt counts against. If the configuration leaves known sources no failures, all
   * are strangers.
   */
  const sourceOf = ({ device, session }: Attempt, isKnownAddress: boolean): KnownSource | 'stranger' => {
    const known = session !== undefined ? 'session' : device !== undefined ? 'device' : 'address'
    if (limitOfKnown(known) === 0) return 'stranger'
    return known !== 'address' || isKnownAddress ? known : 'stranger'
  }

  return {
    /** The counter that locks a name for strangers, from all addresses together. */
    ofStrangers,

    /** The counters of one attempt. `address` is the key of the network address. */
    of(attempt: Attempt, { counterKey, isKnownAddress }: NameHistory, address: string) {
      const kind = sourceOf(attempt, isKnownAddress)
      /** Whether a known device or a session shows that the owner has signed in there before. */
      const isProven = kind === 'session' || kind === 'device'
      const source = isProven ? `${kind}:${counterKey}:${attempt[kind] ?? ''}` : `here:${counterKey}:${address}`
      const sourceBudgets: DailyBudget[] = [
        {
          key: `attempts:day-here:${counterKey}:${isProven ? kind : 'unproven'}:${address}`,
          burst: Math.max(burstsPerAddress[kind], nameFailures),
        },
      ]
      if (isProven) {
        sourceBudgets.unshift({ key: `attempts:day-of:${source}`, burst: Math.max(burstPerSource[kind], nameFailures) })
      }
      return {
        isProven,
        perSource: { key: `attempts:${source}`, limit: nameFailures },
        global: kind === 'stranger' ? ofStrangers(counterKey) : ofKnown(counterKey, kind),
        sourceBudgets,
        budget: { key: `attempts:day:${counterKey}:${kind}`, burst: bursts[kind] },
      }
    },
  }
}
