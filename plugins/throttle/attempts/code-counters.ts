import type { Attempt, TriedCode } from './attempt.js'
import { limits } from '../limits.js'
import type { NameHistory } from './name-history.js'
import type { FailureCounter, ThrottleCounter } from './throttle-counters.js'

const bursts = limits.codes.of

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
    burst: limits.codesFromAddress.of.oneAddress,
  }
  const ofDevice = {
    key: `attempts:codes-of:${counterKey}:${device ?? ''}`,
    burst: limits.codesFromSource.of.oneDevice,
  }
  const sources = device === undefined ? [perAddress] : [ofDevice, perAddress]
  if (share === undefined) return { perSource, budgets: sources }
  return { perSource, budgets: [...sources, { key: `attempts:codes:${counterKey}:${share}`, burst: bursts[share] }] }
}
