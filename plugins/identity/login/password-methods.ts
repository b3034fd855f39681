import { emailKey } from '../../../db/email-key.js'
import type { User } from '../../../db/repositories/users.js'
import type { Contact } from '../../../db/sign-in-names.js'
import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'
import { loginExample } from '../../../schemas/login.js'
import type { LoginMethod, LookedUp } from './registry.js'

/** Stores a stronger hash of the same password; false if the password has changed meanwhile. */
export type StrengthenHash = (id: number, hash: { old: string; stronger: string }) => Promise<boolean>

/** No user has this id. */
const nobody = 0

/**
 * Reads what people type beside their password: a user name, or a verified e-mail address or phone number of the tenant. Which
 * lookups are made depends on the form of the text alone, so that no time shows which accounts exist.
 */
const createLookUp = ({ contacts, db: { users, verifiedContacts } }: Needs<'contacts' | 'db'>) => {
  /** The contact that a text has the form of. */
  const readContact = (text: string): Contact | undefined => {
    const email = contacts.readEmail(text)
    if (email !== undefined) return { kind: 'email', text: emailKey(email) }
    const phone = contacts.readPhone(text)
    return phone && { kind: 'phone', text: phone.key }
  }

  const findOwner = async (tenantId: number, { kind, text }: Contact): Promise<User | undefined> => {
    const user = await (kind === 'email'
      ? users.findByEmail(tenantId, text)
      : users.findByPhone(tenantId, { key: text, display: text }))
    return (await verifiedContacts.isVerified(user?.id ?? nobody, { kind, text })) ? user : undefined
  }

  /** The account with this user name, else the one with this verified contact. */
  return (tenantId: number, text: string): LookedUp => {
    const contact = readContact(text)
    const username = { kind: 'username', text } as const
    const named = users.findByUsername(tenantId, text)
    if (contact === undefined) return { subject: username, account: named }
    const both = Promise.all([named, findOwner(tenantId, contact)])
    return {
      subject: named.then((user) => (user ? username : contact)),
      account: both.then(([user, owner]) => user ?? owner),
    }
  }
}

/** Sign-in by a name and a password; `password_captcha` always requires a captcha. */
export const createPasswordMethods = (
  needs: Needs<'contacts' | 'db' | 'dummyHashes' | 'log' | 'passwords'>,
  strengthenHash: StrengthenHash,
): LoginMethod[] => {
  const { db, dummyHashes, log, passwords } = needs
  const lookUp = createLookUp(needs)

  /** Replaces a hash that is weaker than configured, while the password is known. If this fails, the sign-in goes on. */
  const upgradeHash = async (user: User, password: string): Promise<User> => {
    const { passwordHash } = user
    const fairnessKey = `user ${user.id}`
    if (passwordHash === null || !passwords.needsRehash(passwordHash)) return user
    try {
      const stronger = await passwords.hash(password, fairnessKey)
      if (await strengthenHash(user.id, { old: passwordHash, stronger })) return { ...user, passwordHash: stronger }
    } catch (error) {
      log.error({ err: error, userId: user.id }, 'could not replace a weak password hash')
      return user
    }
    // The stored hash has changed meanwhile: by a parallel sign-in, or by a change of the password.
    const current = await db.users.find(user.id)
    const matches = current && (await passwords.verify(current.passwordHash, password, { group: 'known', fairnessKey }))
    if (!matches) throw problem('invalid_credentials')
    return current
  }

  const shared: Pick<LoginMethod, 'amr' | 'needs' | 'firstAnswer' | 'isWayIn' | 'lookUp' | 'verify'> = {
    amr: ['pwd'],
    needs: ['username', 'password'],
    firstAnswer: 'passwordMissing',
    isWayIn: (user) => user.passwordHash !== null && !passwords.isOverdue(user),
    lookUp: ({ username = '' }, tenantId) => lookUp(tenantId, username),
    async verify({ username = '', password = '' }, { tenantId, requester, account }) {
      const user = await account
      const dummy = dummyHashes.of(tenantId, username)
      const matches = await passwords.verify(user?.passwordHash, password, requester, dummy)
      if (!user || !matches || passwords.isOverdue(user)) throw problem('invalid_credentials')
      return upgradeHash(user, password)
    },
  }
  return [
    {
      name: 'password',
      meaning: 'user name and password',
      summary: 'Sign-in by user name and password, and a captcha after the answer `captcha_required`',
      takes: [],
      example: loginExample,
      captcha: 'configured',
      ...shared,
    },
    {
      name: 'password_captcha',
      meaning: 'user name, password and captcha',
      summary: 'Sign-in by user name and password with a captcha',
      takes: [],
      example: { authType: 'password_captcha', ...loginExample, code: '', codeKey: '' },
      captcha: 'required',
      ...shared,
    },
  ]
}
