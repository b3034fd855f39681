import type { Settings } from '../../schemas/settings.js'
import { addressKey } from '../../lib/address-key.js'
import type { Names, Standing } from './names.js'
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
  /** The session, when it is one of the named user that asks. */
  session?: string | undefined
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

/** What strangers leave of these failures is divided among those who are known, in these parts. */
const partsOfKnown = { device: 0.4, address: 0.4, session: 0.2 }
type Known = keyof typeof partsOfKnown

/**
 * Wrong passwords for a name; in a day twice as many: 2 * (350 + 3 * 50) = 1000. Beside them an account may have wrong
 * codes for two contacts, 2 * (49 + 2 * 40) = 258.
 */
const passwordBursts = { stranger: 350, device: 50, address: 50, session: 50 }
/** The same from one address, so that it gets 2 * (25 + 20) = 90 in a day, and with codes 2 * (45 + 4 * 6) = 138. */
const passwordBurstsHere = { unproven: 25, proven: 20 }
/** The same of one device or session: a stolen one cannot use up the share of the others. */
const passwordBurstOfSource = 15

/**
 * Wrong codes for one phone number or e-mail address; in a day twice as many. The first try of a code that was asked for
 * without a captcha takes from none of them, so that no stranger keeps others from it; there are at most 21 such codes in
 * a day. Together 2 * (2 + 5 + 5 + 2) + 21 = 49 for strangers, and an account has two of them.
 */
const codeBursts = { unbound: 2, open: 5, solvedFirst: 5, solved: 2, address: 20, device: 20 }
/** The same from one address. */
const codeBurstHere = 6

export const createShares = (
  names: Pick<Names, 'counterOf' | 'standing'>,
  { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const { nameFailures, nameFailuresAnywhere, addressFailures } = lockout
  const failuresOfKnown = (known: Known) => Math.floor((maxFailures - nameFailuresAnywhere) * partsOfKnown[known])

  const shareOfStranger = ({ kind, isFirst }: TriedCode): keyof typeof codeBursts | undefined => {
    if (kind === 'solved') return isFirst ? 'solvedFirst' : 'solved'
    return kind === 'none' || (kind === 'open' && isFirst) ? undefined : kind
  }

  const ofCode = ({ device }: Attempt, { counter, isKnownAddress }: Standing, code: TriedCode, place: string) => {
    const source = device === undefined ? `here:${counter}:${place}` : `device:${counter}:${device}`
    const near = {
      key: code.shownKey === undefined ? `attempts:${source}` : `attempts:code:${counter}:${code.shownKey}`,
      limit: nameFailures,
    }
    // Nothing can be hit: no bound for a day is needed, and nothing is kept for so long.
    if (code.kind === 'none') return { near, others: [] }
    const share = device === undefined ? (isKnownAddress ? 'address' : shareOfStranger(code)) : 'device'
    const here = {
      key: `attempts:codes-here:${counter}:${device === undefined ? 'name' : 'device'}:${place}`,
      burst: codeBurstHere,
    }
    const anywhere = share && { key: `attempts:codes:${counter}:${share}`, burst: codeBursts[share] }
    return { near, others: anywhere ? [here, anywhere] : [here] }
  }

  const strangers = (counter: string): Scope => ({
    key: `attempts:name:${counter}`,
    limit: nameFailuresAnywhere,
    isAskedFor: true,
  })
  const scopeOfKnown = (counter: string, known: Known): Scope => ({
    key: `attempts:any-${known}:${counter}`,
    limit: failuresOfKnown(known),
    isAskedFor: true,
  })

  /** Whose share an attempt takes from; where the configuration leaves nothing for those who are known, all are strangers. */
  const shareOf = ({ device, session }: Attempt, isKnownAddress: boolean): Known | 'stranger' => {
    const known = session !== undefined ? 'session' : device !== undefined ? 'device' : 'address'
    if (failuresOfKnown(known) === 0) return 'stranger'
    return known !== 'address' || isKnownAddress ? known : 'stranger'
  }

  const ofPassword = (attempt: Attempt, { counter, isKnownAddress }: Standing, place: string) => {
    const share = shareOf(attempt, isKnownAddress)
    const isProven = share === 'session' || share === 'device'
    const source = isProven ? `${share}:${counter}:${attempt[share] ?? ''}` : `here:${counter}:${place}`
    const here = passwordBurstsHere[isProven ? 'proven' : 'unproven']
    return {
      isProven,
      near: { key: `attempts:${source}`, limit: nameFailures },
      wide: share === 'stranger' ? strangers(counter) : scopeOfKnown(counter, share),
      ofDay: [
        ...(isProven
          ? [{ key: `attempts:day-of:${source}`, burst: Math.max(passwordBurstOfSource, nameFailures) }]
          : []),
        {
          key: `attempts:day-here:${counter}:${isProven ? 'proven' : 'unproven'}:${place}`,
          burst: Math.max(here, nameFailures),
        },
        { key: `attempts:day:${counter}:${share}`, burst: passwordBursts[share] },
      ],
    }
  }

  return {
    /** What pauses a name for strangers. */
    strangers: async (tenantId: number, subject: string): Promise<Scope> =>
      strangers(await names.counterOf(tenantId, subject)),

    /** Where the failures of an attempt count. */
    async of(attempt: Attempt): Promise<Places> {
      const { tenantId, subject, code } = attempt
      const place = addressKey(attempt.address)
      const standing = await names.standing(tenantId, subject ?? '', attempt.address)
      const address = { key: `attempts:address:${place}`, limit: addressFailures, isAskedFor: true }
      const addresses = countAddresses ? [address] : []
      if (subject === undefined) {
        // What names nobody is proven by what nobody can guess, and people behind one address share this count.
        const near = { key: `attempts:here:${standing.counter}:${place}`, limit: nameFailuresAnywhere }
        return { all: [near, ...addresses], named: [near], asked: { address } }
      }
      if (code) {
        const { near, others } = ofCode(attempt, standing, code, place)
        const bounds = attempt.device === undefined ? addresses : []
        return { all: [near, ...others, ...bounds], named: [near], asked: { address } }
      }
      const { isProven, near, wide, ofDay } = ofPassword(attempt, standing, place)
      // Who is known by a device or a session is not kept waiting for what neighbours do to other names.
      const others = isProven ? [] : addresses
      return { all: [near, wide, ...ofDay, ...others], named: [near, wide], asked: { name: wide, address } }
    },
  }
}
