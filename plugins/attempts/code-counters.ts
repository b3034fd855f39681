import type { Attempt, TriedCode } from './attempt.js'
import type { NameHistory } from './names.js'
import type { FailureCounter, ThrottleCounter } from './throttle-counters.js'

/**
 * Wrong codes for one phone number or e-mail address; twice as many fit in a day. The first try of an `open` code is not
 * limited here, so that strangers cannot block it; at most 21 such codes are sent in a day. In all, strangers have
 * 2 * (2 + 5 + 5 + 2) + 21 = 49 tries a day, for each of the two contacts of an account.
 */
const bursts = { unbound: 2, open: 5, solvedFirst: 5, solved: 2, address: 20, device: 20 }
/** The same for tries from one network address. */
const burstPerAddress = 6

const limitForStrangers = ({ kind, isFirst }: TriedCode): keyof typeof bursts | undefined => {
  if (kind === 'solved') return isFirst ? 'solvedFirst' : 'solved'
  return kind === 'none' || (kind === 'open' && isFirst) ? undefined : kind
}

/** The counters of a tried one-time code. `address` is the key of the network address, `limit` the failures per source. */
export const codeCounters = (
  { device }: Attempt,
  { counterKey, isKnownAddress }: NameHistory,
  code: TriedCode,
  address: string,
  limit: number,
): { perSource: FailureCounter; budgets: ThrottleCounter[] } => {
  // Not the counters of wrong passwords for the same contact: a right password would reset them.
  const source = device === undefined ? `code-here:${counterKey}:${address}` : `code-device:${counterKey}:${device}`
  const perSource = {
    key: code.shownKey === undefined ? `attempts:${source}` : `attempts:code:${counterKey}:${code.shownKey}`,
    limit,
  }
  // Nothing can be guessed: no daily limit is needed, and nothing is stored for a day.
  if (code.kind === 'none') return { perSource, budgets: [] }
  const share = device === undefined ? (isKnownAddress ? 'address' : limitForStrangers(code)) : 'device'
  const perAddress = {
    key: `attempts:codes-here:${counterKey}:${device === undefined ? 'name' : 'device'}:${address}`,
    burst: burstPerAddress,
  }
  if (share === undefined) return { perSource, budgets: [perAddress] }
  return { perSource, budgets: [perAddress, { key: `attempts:codes:${counterKey}:${share}`, burst: bursts[share] }] }
}
