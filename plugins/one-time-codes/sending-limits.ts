import type { Store } from '../../db/repositories/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'

/** Who asks for a code, and how. */
export interface Requester {
  /** What is counted for the network address. */
  address: string
  /** The device, when the owner of the recipient has signed in on it before. */
  device: string | undefined
  /** Whether the owner has signed in from this address before. */
  isKnownAddress: boolean
  /** Checks a captcha; throws `captcha_required` when the request brings none, `invalid_code`. */
  requireCaptcha: () => Promise<void>
  bringsCaptcha: boolean
}

/** How a code was asked for. */
export interface Admission {
  isSolved: boolean
  /** The lane of a known device or address. */
  lane?: string
}

interface Collaborators {
  store: Store
  clock: Clock
  settings: Settings['oneTimeCodes']
  countAddresses: boolean
  /** Whether clients of this installation can solve captchas. */
  hasCaptchas: boolean
}

const day = 24 * 3600 * 1000
/**
 * No lane waits longer than this, so that there is no day of silence. With it, strangers get eleven codes a day beyond `recipientPerDay`.
 * Milliseconds.
 */
const maxPause = 4 * 3600 * 1000
/** Codes for solved captchas in one interval: to a recipient, and for an address over its limit. */
const solvedPerInterval = { recipient: 2, address: 10 }

/**
 * Decides whether a code may be sent. What the address itself may do comes first, so that one over its limit changes
 * nothing for a recipient. Then the lanes of the recipient: known devices and addresses have one each, strangers share
 * one. In a lane the pauses grow with the codes of a day; a solved captcha passes by a lane that waits.
 */
export const createSendingLimits = ({ store, clock, settings, countAddresses, hasCaptchas }: Collaborators) => {
  const interval = settings.interval * 1000

  const tooManyRequests = (until: number) => {
    const seconds = Math.max(1, Math.ceil((until - clock.now()) / 1000))
    return problem('too_many_requests', { retryAfter: seconds, data: { status: 'fail', interval: seconds } })
  }

  /** Throws when there were `most` in this interval already. */
  const countInInterval = async (key: string, most: number): Promise<void> => {
    const { count, expiry } = await store.increment(key, 1, interval)
    if (count > most) throw tooManyRequests(expiry)
  }

  /** Takes the turn of a lane, or resolves to the moment of the next one. */
  const takeTurn = async (lane: string): Promise<number | undefined> => {
    const turn = await store.increment(`${lane}:pause`, 1, interval)
    if (turn.count > 1) return turn.expiry
    const today = await store.increment(`${lane}:day`, 1, day)
    const doublings = Math.max(0, today.count + 1 - settings.recipientPerDay)
    if (doublings > 0) await store.set(`${lane}:pause`, '1', Math.min(interval * 2 ** doublings, maxPause))
    return undefined
  }

  /** Asks for a captcha instead of a wait, but for a wait that the plain interval between two codes explains. */
  const solveInsteadOfWaiting = async (until: number, requester: Requester): Promise<void> => {
    const isShort = until <= clock.now() + interval
    if (!requester.bringsCaptcha && (isShort || !hasCaptchas)) throw tooManyRequests(until)
    await requester.requireCaptcha()
  }

  /** The address itself. Resolves to whether a captcha was solved. */
  const admitAddress = async (requester: Requester, isSolved: boolean): Promise<boolean> => {
    if (!countAddresses || requester.device !== undefined) return isSolved
    const key = `one-time-code:address:${requester.address}`
    const today = await store.increment(`${key}:day`, 1, day)
    if (today.count <= settings.addressPerDay) return isSolved
    if (!isSolved) await solveInsteadOfWaiting(today.expiry, requester)
    await countInInterval(`${key}:solved`, solvedPerInterval.address)
    return true
  }

  return {
    /** Counts a request for a code; `counter` is that of the recipient. Throws `too_many_requests`, `captcha_required`, `invalid_code`. */
    async admit(counter: string, requester: Requester): Promise<Admission> {
      if (settings.captcha) await requester.requireCaptcha()
      let isSolved = await admitAddress(requester, settings.captcha)
      const { address, device, isKnownAddress } = requester
      const source = device === undefined ? `address:${address}` : `device:${device}`
      const isKnown = device !== undefined || isKnownAddress
      const own = `${counter}:by:${source}`
      const lane = isKnown ? `${counter}:known:${source}` : `${counter}:open`
      const previous = (await store.getMany([own])).get(own)
      if (previous) throw tooManyRequests(previous.expiry)
      if (!isSolved) {
        const next = await takeTurn(lane)
        if (next !== undefined) {
          await solveInsteadOfWaiting(next, requester)
          isSolved = true
        }
      }
      // Counted before anything is sent: parallel requests of one source send one message, failed ones count too.
      await countInInterval(own, 1)
      if (isSolved) await countInInterval(`${counter}:solved`, solvedPerInterval.recipient)
      return isKnown ? { isSolved, lane } : { isSolved }
    },

    /** A code was used: the pauses of a lane that no stranger shares are short again. */
    async forget(lane: string | undefined): Promise<void> {
      if (lane !== undefined) await store.delete([`${lane}:day`])
    },
  }
}

export type SendingLimits = ReturnType<typeof createSendingLimits>
