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
