import type { Phone, User } from '../../../db/repositories/users.js'
import { emailKey } from '../../../db/email-key.js'
import { fold } from '../../../db/fold.js'
import { invalidField } from '../../../lib/problem.js'
import type { Contacts } from '../../identity/contacts/contacts.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { isName } from './names.js'

/** No country has shorter mobile numbers (ITU-T E.164 and national plans). */
const minDigits = 5

type Numbers = Pick<Contacts, 'isMobileNumber' | 'readPhone'>

/** The contacts of an account in the form in which they are compared. */
export interface OwnContacts {
  phoneKey: string | null | undefined
  email: string | null | undefined
}

/**
 * Whether a user name reads as an e-mail address or as a mobile number that is not one of the account: people
 * would take it for the contact of somebody else. Other numbers, such as those of students, are user names like others.
 */
export const readsAsForeignContact = (username: string, own: OwnContacts, numbers: Numbers): boolean => {
  const text = fold(cleanCopied(username))
  if (text.includes('@')) return own.email == null || emailKey(text) !== emailKey(own.email)
  // Nearly all names are no numbers, and reading one as a number takes a hundred times as long.
  const isNumber = (text.match(/\p{Nd}/gu)?.length ?? 0) >= minDigits && numbers.isMobileNumber(text)
  if (!text.startsWith('+') && !isNumber) return false
  return own.phoneKey == null || numbers.readPhone(text)?.key !== own.phoneKey
}

const hasBlank = (text: string): boolean => /\p{White_Space}/u.test(text)

/** Whether a text may be the user name of an account without contacts. */
export const isUserName = (text: string, numbers: Numbers): boolean =>
  isName(text) && !hasBlank(text) && !readsAsForeignContact(text, { phoneKey: null, email: null }, numbers)

/** Throws `invalid_request` for a new user name that reads as a contact of somebody else, or has blanks inside. Names from before stay. */
export const checkNewUserName = (username: string, own: OwnContacts, numbers: Numbers): void => {
  if (readsAsForeignContact(username, own, numbers)) throw invalidField('username', 'foreign_contact')
  if (isName(username) && hasBlank(username)) throw invalidField('username', 'blank_inside')
}

/** The contacts that an account has after a change. */
export const contactsAfter = (
  { phoneKey, email }: Pick<User, 'phoneKey' | 'email'>,
  change: { phone?: Phone | null | undefined; email?: string | null | undefined },
): OwnContacts => ({
  phoneKey: change.phone === undefined ? phoneKey : change.phone?.key,
  email: change.email === undefined ? email : change.email,
})
