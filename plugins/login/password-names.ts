import { emailKey } from '../../db/email-key.js'
import type { Phone, User, UserRepository } from '../../db/repositories/users.js'
import type { VerifiedContactRepository } from '../../db/repositories/verified-contacts.js'
import type { Contact, SignInName } from '../../db/sign-in-names.js'

interface Collaborators {
  users: Pick<UserRepository, 'findByUsername' | 'findByPhone' | 'findByEmail'>
  contacts: Pick<VerifiedContactRepository, 'isVerified'>
  readPhone: (text: string) => Phone | undefined
  readEmail: (text: string) => string | undefined
}

/** No user has this id. */
const nobody = 0

/**
 * Reads what people type beside their password: a user name, or a verified e-mail address or phone number of the tenant. Which
 * lookups are made depends on the form of the text alone, so that no time shows which accounts exist.
 */
export const createPasswordNames = ({ users, contacts, readPhone, readEmail }: Collaborators) => {
  /** The contact that a text has the form of. */
  const readContact = (text: string): Contact | undefined => {
    const email = readEmail(text)
    if (email !== undefined) return { kind: 'email', text: emailKey(email) }
    const phone = readPhone(text)
    return phone && { kind: 'phone', text: phone.key }
  }

  const findOwner = async (tenantId: number, { kind, text }: Contact): Promise<User | undefined> => {
    const user = await (kind === 'email'
      ? users.findByEmail(tenantId, text)
      : users.findByPhone(tenantId, { key: text, display: text }))
    return (await contacts.isVerified(user?.id ?? nobody, { kind, text })) ? user : undefined
  }

  return {
    /** The name under which failures are counted. */
    async nameOf(tenantId: number, text: string): Promise<SignInName> {
      const contact = readContact(text)
      const isUserName = contact === undefined || (await users.findByUsername(tenantId, text)) !== undefined
      return isUserName ? { kind: 'username', text } : contact
    },

    /** The account with this user name, else the one with this verified contact. */
    async find(tenantId: number, text: string): Promise<User | undefined> {
      const contact = readContact(text)
      const named = await users.findByUsername(tenantId, text)
      const owner = contact && (await findOwner(tenantId, contact))
      return named ?? owner
    },
  }
}

export type PasswordNames = ReturnType<typeof createPasswordNames>
