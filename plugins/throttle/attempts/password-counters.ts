import type { Settings } from '../../../schemas/settings.js'
import { limits } from '../limits.js'
import type { Attempt } from './attempt.js'
import type { NameHistory } from './name-history.js'
import type { DailyBudget, FailureCounter } from './throttle-counters.js'

const maxFailures = limits.failures.of.everybody

/**
 * Strangers, which are all clients other than known devices, known addresses and signed-in users, get
 * `lockout.nameFailuresAnywhere` of `maxFailures`. Known sources share the rest in these proportions.
 */
const partOfKnown = { device: 0.4, address: 0.4, session: 0.2 }
type KnownSource = keyof typeof partOfKnown

/** A user name, a phone number and an e-mail address. */
const namesOfAccount = 3
const third = (limit: number): number => Math.max(1, Math.floor(limit / namesOfAccount))

/** The part of a name. */
const partOf = <K extends string>(ofAccount: Record<K, number>): Record<K, number> =>
  Object.fromEntries(
    Object.entries<number>(ofAccount).map(([source, limit]) => [
      source,
      /session/i.test(source) ? limit : third(limit),
    ]),
  ) as Record<K, number>

const bursts = partOf(limits.passwords.of)
const burstsPerAddress = partOf(limits.passwordsFromAddress.of)
const { oneDevice, oneSession } = partOf(limits.passwordsFromSource.of)
const burstPerSource = { device: oneDevice, session: oneSession }

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
