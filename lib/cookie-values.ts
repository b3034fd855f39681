/** The values of all cookies of this name in a header. Only spaces and tabs are no part of a name (RFC 6265 5.2), whatever else looks blank. */
export const cookieValues = (header: string | undefined, name: string): string[] =>
  (header?.split(';') ?? [])
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
