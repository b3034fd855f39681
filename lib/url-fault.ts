/** What to do about a URL that cannot be read. The URL itself is never shown: its password may be anywhere in it. */
const advice =
  'cannot be read as a URL. In its user name and password, write / as %2F, ? as %3F, # as %23, @ as %40 and % as %25'

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Why a URL that may have a user name and a password cannot be read, without showing it; undefined if it can. */
export const urlFault = (text: string): string | undefined => {
  if (!URL.canParse(text)) return advice
  // A password with `/`, `?` or `#` ends the host for the parser, so that the `@` before the real host comes too late.
  if (/^[^/]*\/\/[^/?#]*[/?#].*@/s.test(text)) return advice
  const { username, password, hash } = new URL(text)
  return hash === '' && isDecodable(username) && isDecodable(password) ? undefined : advice
}

/** The same for a URL to which credentials cannot be sent: the client of Node.js refuses them, and would show them. */
export const plainUrlFault = (text: string): string | undefined => {
  const fault = urlFault(text)
  if (fault !== undefined) return fault
  const { username, password } = new URL(text)
  return username === '' && password === '' ? undefined : 'must not contain a user name or a password'
}
