/** Longer ones are no address that a page has made. */
const maxLength = 2048
// Browsers read a backslash as a slash, and take tabs and line ends out of an address.
const unsafe = /[\\\p{Cc}]/u

/** Where to go after the sign-in: the path of this origin in `?next=`; undefined for anything else. */
export const safeNext = (next: string | null | undefined, origin: string): string | undefined => {
  if (!next?.startsWith('/') || next.startsWith('//') || next.length > maxLength || unsafe.test(next)) return undefined
  if (!URL.canParse(next, origin)) return undefined
  const { origin: target, pathname, search, hash } = new URL(next, origin)
  return target === origin ? pathname + search + hash : undefined
}
