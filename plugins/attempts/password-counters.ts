import type { Settings } from '../../schemas/settings.js'
import type { Attempt } from './attempt.js'
import type { NameHistory } from './names.js'
import type { FailureCounter, ThrottleCounter } from './counter.js'

/** NIST SP 800-63B 3.2.2: failures of a name, from all sources together, before a lockout. */
const maxFailures = 100

/**
 * Strangers, which are all clients other than known devices, known addresses and signed-in users, get
 * `lockout.nameFailuresAnywhere` of these failures. Known sources share the rest in these proportions.
 */
const partOfKnown = { device: 0.4, address: 0.4, session: 0.2 }
type KnownSource = keyof typeof partOfKnown

/**
 * Wrong passwords for a name; twice as many fit in a day: 2 * (350 + 3 * 50) = 1000. Wrong codes come on top: an account
 * with two contacts may have 2 * (49 + 2 * 40) = 258 of them.
 */
const bursts = { stranger: 350, device: 50, address: 50, session: 50 }
/** The same for tries from one network address: 2 * (25 + 20) = 90 in a day; with wrong codes 2 * (45 + 4 * 6) = 138. */
const burstsPerAddress = { unproven: 25, proven: 20 }
/** The same for one device or session, so that a stolen one cannot use up the limit of the others. */
const burstPerSource = 15

/** Creates the counters of tried passwords. */
export const createPasswordCounters = ({ nameFailures, nameFailuresAnywhere }: Settings['lockout']) => {
  const limitOfKnown = (known: KnownSource) => Math.floor((maxFailures - nameFailuresAnywhere) * partOfKnown[known])

  const ofStrangers = (counterKey: string): FailureCounter => ({
    key: `attempts:name:${counterKey}`,
    limit: nameFailuresAnywhere,
    isReported: true,
  })
  const ofKnown = (counterKey: string, known: KnownSource): FailureCounter => ({
    key: `attempts:any-${known}:${counterKey}`,
    limit: limitOfKnown(known),
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
      const proven = isProven ? 'proven' : 'unproven'
      const budgets: ThrottleCounter[] = [
        {
          key: `attempts:day-here:${counterKey}:${proven}:${address}`,
          burst: Math.max(burstsPerAddress[proven], nameFailures),
        },
        { key: `attempts:day:${counterKey}:${kind}`, burst: bursts[kind] },
      ]
      if (isProven) {
        budgets.unshift({ key: `attempts:day-of:${source}`, burst: Math.max(burstPerSource, nameFailures) })
      }
      return {
        isProven,
        perSource: { key: `attempts:${source}`, limit: nameFailures },
        global: kind === 'stranger' ? ofStrangers(counterKey) : ofKnown(counterKey, kind),
        budgets,
      }
    },
  }
}
