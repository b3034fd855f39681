import { domainToASCII } from 'node:url'
import { fold } from './fold.js'

const ascii = /^[\0-\x7f]*$/

/**
 * The form in which domains are compared: lower case, with A-labels (RFC 5890 2.3.2.1), because mail goes to the domain of
 * this form. `fold` would make one of different domains: `ı` becomes `i`, `ß` becomes `ss`. A text that is no domain
 * stays as it is.
 */
export const asciiDomain = (domain: string): string =>
  ascii.test(domain) ? domain.toLowerCase() : domainToASCII(domain) || domain

/** The domain of an e-mail address in the form in which domains are compared. */
export const domainOf = (email: string): string => asciiDomain(email.slice(email.lastIndexOf('@') + 1))

/** The form in which e-mail addresses are compared. Addresses of two domains are never equal. */
export const emailKey = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${fold(email.slice(0, Math.max(at, 0)))}@${domainOf(email)}`
}
