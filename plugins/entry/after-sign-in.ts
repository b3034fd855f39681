import type { Needs } from '../../lib/needs.js'
import { accountOf } from '../../lib/account-of.js'
import type { User } from '../../db/repositories/users.js'
import { isContact, nameKey, signInNames, type Contact, type SignInName } from '../../db/sign-in-names.js'
import type { ClientContext } from '../identity/devices/client.js'
import type { Proved } from './proved.js'

/** What a sign-in leaves behind for the next one, and whom it tells. */
export const createAfterSignIn = (
  { attempts, db, installation, notices }: Needs<'attempts' | 'db' | 'installation' | 'notices'>,
  verifyContact: (id: number, contact: Contact) => Promise<void>,
) => {
  const { names } = attempts
  const { mail } = installation.settings
  const tellsNewDevices = mail.url !== null && mail.newDevice

  /**
   * The first code sent to a contact verifies the contact. A later one ends the lockouts that failed tries of others have caused
   * for the names of the account.
   */
  const takeAsVerified = async (user: User, contact: Contact): Promise<void> => {
    if (!(await db.verifiedContacts.isVerified(user.id, contact))) return verifyContact(user.id, contact)
    for (const name of signInNames(user)) await attempts.liftLockout(user.tenantId, name)
  }

  return async (
    { user, step: { subject, hasUsedCode }, history }: Pick<Proved, 'user' | 'step' | 'history'>,
    client: Pick<ClientContext, 'address' | 'acceptLanguage' | 'browser' | 'devices'>,
  ): Promise<void> => {
    const { address, browser, devices } = client
    const account = accountOf(user)
    const isNewDevice = !(await devices.hasSeen(account))
    // A session of such an account starts by a factor that was proved now, or earlier in this trusted browser.
    if (user.hasSecondFactor) devices.noteFactor(account)
    if (hasUsedCode && subject && isContact(subject)) await takeAsVerified(user, subject)
    // All names of a user are stored together, so the user name tells of all. It is read only if another one was submitted.
    const username: SignInName = { kind: 'username', text: user.username }
    const isSubmitted = subject !== undefined && nameKey(subject) === nameKey(username)
    const known = isSubmitted ? history : await names.readHistory(user.tenantId, username, address)
    // Apps and servers may keep no cookies, so their device is new only at a new address. The first sign-in of an account is
    // always on a new device.
    const isNew = isNewDevice && (browser.isBrowser || !known.isKnownAddress)
    if (tellsNewDevices && isNew && user.email !== null && user.loginCount > 0) notices.tell(user, 'new_device', client)
    if (names.isDue(known.storedTime, user.updateTime))
      await names.rememberAddress(user.tenantId, signInNames(user), address)
  }
}

export type AfterSignIn = ReturnType<typeof createAfterSignIn>
