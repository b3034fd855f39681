const asterisks = '******'

/** First three and last four characters; of a number too short for that, the first only. */
export const maskPhone = (phone: string): string =>
  phone.length > 7 ? `${phone.slice(0, 3)}${asterisks}${phone.slice(-4)}` : `${phone.slice(0, 1)}${asterisks}`

/** Halves of characters outside the basic plane: these must not be torn apart. */
const surrogates = /[\ud800-\udfff]/

/** First and last character of the local part, the first only when it has two or fewer. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  const local = surrogates.test(email) ? [...email.slice(0, at)] : email.slice(0, at)
  const last = local.length > 2 ? (local.at(-1) ?? '') : ''
  return `${local[0] ?? ''}${asterisks}${last}${email.slice(at)}`
}

/** Whether an e-mail address looks masked. Real addresses may contain asterisks, but hardly so many in a row. */
export const isMaskedEmail = (email: string): boolean => email.slice(0, email.lastIndexOf('@')).includes(asterisks)

type Contacts = Partial<Record<'phone' | 'email', string | null | undefined>>

/** The change without contacts that are the masks of the stored ones: callers send back what they were shown. */
export const withoutMasks = <Change extends Contacts>(change: Change, stored: Contacts): Change => {
  const rest = { ...change }
  if (stored.phone != null && rest.phone === maskPhone(stored.phone)) delete rest.phone
  if (stored.email != null && rest.email === maskEmail(stored.email)) delete rest.email
  return rest
}

/** The form in which texts are compared at sign-in: full-width digits and signs are the ordinary ones. */
const plain = (text: string): string => text.normalize('NFKC')
const hasLetter = (text: string): boolean => /\p{L}/u.test(text)
const hasDigit = (text: string): boolean => /\p{Nd}/u.test(text)

/** Masks a phone number, in any form, or an e-mail address. A user name, which contains a letter, stays. */
export const maskContact = (text: string): string => {
  const name = plain(text)
  if (name.includes('@')) return maskEmail(name)
  return hasDigit(name) && !hasLetter(name) ? maskPhone(name) : text
}

/** Whether a filter by this text finds only user names, which `maskContact` leaves as they are, once texts with `@` are left out. */
export const isPartOfNamesOnly = (text: string): boolean => hasLetter(plain(text)) && !plain(text).includes('@')

/** The signs that are an `@` at sign-in. */
export const atSigns = ['@', '\uff20', '\ufe6b']
