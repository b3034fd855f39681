import type { Database, Repositories } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { randomId } from '../../../lib/random-id.js'
import type { Settings } from '../../../schemas/settings.js'

const day = 24 * 3600 * 1000
const maxUserAgentLength = 300
/** Browsers of one account; the one that was trusted first goes. */
const maxBrowsers = 30

/** Where a second factor was proved. */
export interface TrustedPlace {
  deviceId: string
  userAgent: string
  address: string
}

/** Browsers on which an account skips the second step: a record of the server under the id that the device cookie has for the account. */
export const createTrustedDevices = (
  db: Pick<Database, 'trustedDevices'>,
  { trustDays }: Settings['secondFactor'],
  clock: Clock,
) => ({
  /** For how many days a browser may skip the second step; 0 where none may. */
  days: trustDays,

  /** Whether the second step is skipped. Without the cookie, or with the setting 0, it never is. */
  async isTrusted(userId: number, deviceId: string | undefined): Promise<boolean> {
    if (deviceId === undefined || trustDays === 0) return false
    const now = clock.now()
    const found = await db.trustedDevices.find(userId, deviceId, now)
    // The setting may have become shorter.
    if (!found || found.createTime + trustDays * day <= now) return false
    await db.trustedDevices.markUsed(found.id, now)
    return true
  },

  /** Trusts a browser from now on, for the days of the setting. */
  async trust(
    { trustedDevices }: Pick<Repositories, 'trustedDevices'>,
    userId: number,
    { deviceId, userAgent, address }: TrustedPlace,
  ): Promise<void> {
    if (trustDays === 0) return
    const now = clock.now()
    await trustedDevices.set({
      id: randomId(),
      userId,
      deviceId,
      userAgent: userAgent.slice(0, maxUserAgentLength),
      address,
      createTime: now,
      lastUsedTime: null,
      expiry: now + trustDays * day,
    })
    await trustedDevices.keepLatest(userId, maxBrowsers)
  },
})

export type TrustedDevices = ReturnType<typeof createTrustedDevices>
