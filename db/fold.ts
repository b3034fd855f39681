/** Most names: nothing but their case is to be folded. */
const ascii = /^[\0-\x7f]*$/

/**
 * The form in which names are compared: compatibility-normalised and without case, so that `Ａlice`, `ALICE` and
 * `alice` are one name, for uniqueness, sign-in and filters alike. What is folded stays as it is when folded again. A
 * change here must be followed by a migration of the keys that are stored.
 */
export const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : // Lower case first, so that ẞ is a ß; then upper case, so that ß meets SS. A sigma at the end of a word is the same
      // letter as within.
      text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')

/** Escapes `%`, `_` and `\` for `LIKE … ESCAPE '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
