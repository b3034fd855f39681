import type { Settings } from '../../schemas/settings.js'
import { addressKey } from './address.js'
import type { Names } from './names.js'
import type { Counted, Scope } from './scopes.js'

/** A one-time code that somebody tries. */
export interface TriedCode {
  /** Its key, when whoever tries it has shown the key. */
  shownKey?: string | undefined
  /**
   * How the code was asked for, which decides whose tries it takes from: `none` when there is no code that could be hit,
   * `unbound` when the try shows no key and comes from where no code was asked for, `solved` when for a captcha.
   */
  kind: 'none' | 'unbound' | 'open' | 'solved'
  /** Whether nobody has tried this code before. */
  isFirst: boolean
}

/** Who tries to sign in, as submitted: known and unknown names are counted alike. */
export interface Attempt {
  tenantId: number
  /** User name, phone number or e-mail address; undefined when what is submitted names nobody. */
  subject: string | undefined
  /** Network address. */
  address: string
  /** The device, when the owner of the name has signed in on it before: it does not suffer for what strangers do. */
  device?: string | undefined
  /** The one-time code, when one is tried. */
  code?: TriedCode | undefined
}

/** Where the failures of one attempt count. */
export interface Places {
  /** In this order: while one address must wait, its tries do not use up what other addresses have. */
  all: Counted[]
  /** A success starts these afresh. */
  named: Scope[]
  /** Failures of the name and of the address, for deciding whether a captcha is needed. */
  asked: { name?: Scope; address?: Scope }
}

/** NIST SP 800-63B 3.2.2: so many failures of a name may there be before a pause, wherever they come from. */
const maxFailures = 100

/**
 * Wrong codes for one phone number or e-mail address; in a day twice as many. The first try of a code that was asked for
 * without a captcha takes from none of them, so that no stranger keeps others from it; there are at most 21 such codes in
 * a day. Together 2 * (2 + 5 + 5 + 2) + 21 = 49 for strangers, and an account has two of them.
 */
const codeBursts = { unbound: 2, open: 5, solvedFirst: 5, solved: 2, address: 20, device: 20 }
/** The same from one address. */
const codeBurstHere = 6

export const createShares = (
  names: Pick<Names, 'counterOf' | 'isKnownAddress'>,
  { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const { nameFailures, nameFailuresAnywhere, addressFailures } = lockout
  /** What strangers leave of the failures allowed is for known devices, stolen ones among them. */
  const deviceFailures = maxFailures - nameFailuresAnywhere

  const shareOfStranger = ({ kind, isFirst }: TriedCode): keyof typeof codeBursts | undefined => {
    if (kind === 'solved') return isFirst ? 'solvedFirst' : 'solved'
    return kind === 'none' || (kind === 'open' && isFirst) ? undefined : kind
  }

  const ofCode = async (attempt: Attempt & { subject: string }, counter: string, code: TriedCode, place: string) => {
    const { tenantId, subject, address, device } = attempt
    const source = device === undefined ? `here:${counter}:${place}` : `device:${counter}:${device}`
    const near = {
      key: code.shownKey === undefined ? `attempts:${source}` : `attempts:code:${counter}:${code.shownKey}`,
      limit: nameFailures,
    }
    // Nothing can be hit: no bound for a day is needed, and nothing is kept for so long.
    if (code.kind === 'none') return { near, others: [] }
    const isKnown = await names.isKnownAddress(tenantId, subject, address)
    const share = device === undefined ? (isKnown ? 'address' : shareOfStranger(code)) : 'device'
    const here = {
      key: `attempts:codes-here:${counter}:${device === undefined ? 'name' : 'device'}:${place}`,
      burst: codeBurstHere,
    }
    const anywhere = share && { key: `attempts:codes:${counter}:${share}`, burst: codeBursts[share] }
    return { near, others: anywhere ? [here, anywhere] : [here] }
  }

  const ofPassword = ({ device }: Attempt, counter: string, place: string) =>
    device !== undefined && deviceFailures > 0
      ? {
          near: { key: `attempts:device:${counter}:${device}`, limit: nameFailures },
          wide: { key: `attempts:devices:${counter}`, limit: deviceFailures, isAskedFor: true },
        }
      : {
          near: { key: `attempts:here:${counter}:${place}`, limit: nameFailures },
          wide: { key: `attempts:name:${counter}`, limit: nameFailuresAnywhere, isAskedFor: true },
        }

  return {
    /** Where the failures of an attempt count. */
    async of(attempt: Attempt): Promise<Places> {
      const { tenantId, subject, code } = attempt
      const place = addressKey(attempt.address)
      const counter = await names.counterOf(tenantId, subject ?? '')
      const address = { key: `attempts:address:${place}`, limit: addressFailures, isAskedFor: true }
      const addresses = countAddresses ? [address] : []
      if (subject === undefined) {
        // What names nobody is proven by what nobody can guess, and people behind one address share this count.
        const near = { key: `attempts:here:${counter}:${place}`, limit: nameFailuresAnywhere }
        return { all: [near, ...addresses], named: [near], asked: { address } }
      }
      if (code) {
        const { near, others } = await ofCode({ ...attempt, subject }, counter, code, place)
        return { all: [near, ...others, ...addresses], named: [near], asked: { address } }
      }
      const { near, wide } = ofPassword(attempt, counter, place)
      return { all: [near, wide, ...addresses], named: [near, wide], asked: { name: wide, address } }
    },
  }
}
