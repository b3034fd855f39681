/**
 * The form in which names are compared: compatibility-normalised and without case, so that `Ａlice`, `ALICE` and
 * `alice` are one name, for uniqueness, sign-in and filters alike.
 */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFKC')

/** Escapes `%`, `_` and `\` for `LIKE … ESCAPE '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
