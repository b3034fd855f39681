/** Most names are ASCII, and need only lower case. */
const ascii = /^[\0-\x7f]*$/

/**
 * The form in which names are compared: compatibility-normalised and without case, so that `Ａlice`, `ALICE` and `alice`
 * are one name for uniqueness, sign-in and filters. Folding a folded name changes nothing. A change of this function
 * needs a migration of the stored keys.
 */
export const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : // Lower case turns ẞ into ß, then upper case turns ß into SS. The last step makes the two forms of a small sigma
      // one letter.
      text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
