/** Longer ones are no address that a page has made. */
const maxLength = 2048
// Browsers read a backslash as a slash, and take tabs and line ends out of an address.
const unsafe = /[\\\p{Cc}]/u

/**
 * Where to go after the sign-in: the address of the path of this origin in `?next=`, with the origin; undefined for anything else. What is
 * judged is the path that remains when the browser has taken `..` out of it, and what is returned needs no base: a path that begins with two
 * slashes is the address of another host.
 */
export const safeNext = (next: string | null | undefined, origin: string): string | undefined => {
  if (!next?.startsWith('/') || next.length > maxLength || unsafe.test(next)) return undefined
  if (!URL.canParse(next, origin)) return undefined
  const target = new URL(next, origin)
  return target.origin === origin && !target.pathname.startsWith('//') ? target.href : undefined
}
