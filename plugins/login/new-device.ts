import type { User } from '../../db/repositories/users.js'
import type { Attempts } from '../attempts/attempts.js'
import type { Notices } from '../notices/notices.js'

interface Collaborators {
  names: Pick<Attempts['names'], 'readHistory'>
  notices: Pick<Notices, 'tell'>
  isEnabled: boolean
}

/** The client of a sign-in whose device is unknown. */
interface UnknownDevice {
  address: string
  acceptLanguage: string | undefined
  browser: { isBrowser: boolean }
}

/**
 * Tells users that somebody has signed in on a new device. Runs before the address of the sign-in is remembered. Apps and
 * servers may keep no cookies, so their device is new only at a new address.
 */
export const createNewDeviceNotice =
  ({ names, notices, isEnabled }: Collaborators) =>
  async (user: User, client: UnknownDevice): Promise<void> => {
    // The first sign-in of an account is always on a new device.
    if (!isEnabled || user.email === null || user.loginCount === 0) return
    const { isKnownAddress } = await names.readHistory(
      user.tenantId,
      { kind: 'username', text: user.username },
      client.address,
    )
    if (client.browser.isBrowser || !isKnownAddress) notices.tell(user, 'new_device', client)
  }

export type NewDeviceNotice = ReturnType<typeof createNewDeviceNotice>
