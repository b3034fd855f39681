import type { Needs } from '../../lib/needs.js'
import { problem } from '../../lib/problem.js'
import { limits } from './limits.js'

/** The client that requests a code. */
export interface CodeRequester {
  /** Key of the network address. */
  address: string
  /** Id of the device if the owner of the recipient has signed in on it before. */
  device: string | undefined
  /** Whether the owner has signed in from this address before. */
  isKnownAddress: boolean
  /** Checks the captcha of the request. Throws `captcha_required` if there is none, and `invalid_code`. */
  requireCaptcha: () => Promise<void>
  hasCaptcha: boolean
}

/** How a request for a code was admitted. */
export interface SendingPermit {
  /** Whether a captcha was solved. */
  isSolved: boolean
  /** The throttle of a known device or address. */
  throttleKey?: string
}

const day = 24 * 3600 * 1000
/**
 * The longest interval between two codes of one throttle. With it, strangers can request eleven codes a day beyond
 * `recipientPerDay`. Milliseconds.
 */
const maxInterval = 4 * 3600 * 1000
/** Codes per interval that a solved captcha allows: to one recipient, and for one address over its daily limit. */
const solvedPerInterval = {
  recipient: limits.sentCodesSolved.of.everybody,
  address: limits.sentFromAddressSolved.of.oneAddress,
}

/**
 * Decides whether a code may be sent. The daily limit of the network address is checked first: an address over its limit
 * changes no counter of the recipient. Then the throttle of the recipient: each known device and address has one of its
 * own, strangers (all other clients) share one. A throttle allows one code per interval, and the interval doubles with each
 * code beyond `recipientPerDay`. A client that solves a captcha need not wait for the throttle.
 */
export const createSendingLimits = ({ clock, installation, store }: Needs<'clock' | 'installation' | 'store'>) => {
  const { captcha, oneTimeCodes: settings, rateLimits } = installation.settings
  const hasCaptchas = captcha.mode !== 'never'
  const interval = settings.interval * 1000

  const tooManyRequests = (until: number) => {
    const seconds = Math.max(1, Math.ceil((until - clock.now()) / 1000))
    return problem('too_many_requests', { retryAfter: seconds, data: { status: 'fail', interval: seconds } })
  }

  /** Throws `too_many_requests` after `maxCount` calls in one interval. */
  const countInInterval = async (key: string, maxCount: number): Promise<void> => {
    const { count, expiry } = await store.increment(key, 1, interval)
    if (count > maxCount) throw tooManyRequests(expiry)
  }

  /** Resolves to undefined when a throttle allows a code now, otherwise to the time when it will (epoch milliseconds). */
  const passThrottle = async (throttleKey: string): Promise<number | undefined> => {
    const current = await store.increment(`${throttleKey}:pause`, 1, interval)
    if (current.count > 1) return current.expiry
    const today = await store.increment(`${throttleKey}:day`, 1, day)
    const doublings = Math.max(0, today.count + 1 - settings.recipientPerDay)
    if (doublings > 0) await store.set(`${throttleKey}:pause`, '1', Math.min(interval * 2 ** doublings, maxInterval))
    return undefined
  }

  /**
   * For a client that would have to wait until `until`: requires a captcha instead. Without a captcha in the request, it
   * throws `too_many_requests` if the wait is at most one interval or captchas are switched off.
   */
  const requireCaptchaOrWait = async (until: number, requester: CodeRequester): Promise<void> => {
    const isShort = until <= clock.now() + interval
    if (!requester.hasCaptcha && (isShort || !hasCaptchas)) throw tooManyRequests(until)
    await requester.requireCaptcha()
  }

  /** Checks the daily limit of the network address. Resolves to whether a captcha has been solved. */
  const admitAddress = async (requester: CodeRequester, isSolved: boolean): Promise<boolean> => {
    if (!rateLimits.enabled || requester.device !== undefined) return isSolved
    const key = `one-time-code:address:${requester.address}`
    const today = await store.increment(`${key}:day`, 1, day)
    if (today.count <= settings.addressPerDay) return isSolved
    if (!isSolved) await requireCaptchaOrWait(today.expiry, requester)
    await countInInterval(`${key}:solved`, solvedPerInterval.address)
    return true
  }

  return {
    /**
     * Counts a request for a code. `counter` is the prefix of the recipient's keys. Throws `too_many_requests`,
     * `captcha_required`, `invalid_code`.
     */
    async admit(counter: string, requester: CodeRequester): Promise<SendingPermit> {
      if (settings.captcha) await requester.requireCaptcha()
      let isSolved = await admitAddress(requester, settings.captcha)
      const { address, device, isKnownAddress } = requester
      const source = device === undefined ? `address:${address}` : `device:${device}`
      const isKnown = device !== undefined || isKnownAddress
      const own = `${counter}:by:${source}`
      const throttleKey = isKnown ? `${counter}:known:${source}` : `${counter}:open`
      const previous = (await store.getMany([own])).get(own)
      if (previous) throw tooManyRequests(previous.expiry)
      if (!isSolved) {
        const next = await passThrottle(throttleKey)
        if (next !== undefined) {
          await requireCaptchaOrWait(next, requester)
          isSolved = true
        }
      }
      // Counted before sending, so that parallel requests from one source send one message.
      await countInInterval(own, 1)
      if (isSolved) await countInInterval(`${counter}:solved`, solvedPerInterval.recipient)
      return isKnown ? { isSolved, throttleKey } : { isSolved }
    },

    /** After a sign-in with a code: the throttle of the known device or address starts again with the shortest interval. */
    async reset(throttleKey: string | undefined): Promise<void> {
      if (throttleKey !== undefined) await store.delete([`${throttleKey}:day`])
    },
  }
}

export type SendingLimits = ReturnType<typeof createSendingLimits>
