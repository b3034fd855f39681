import { invalidField } from '../../../lib/problem.js'
import { cleanCopied } from '../../../lib/copied-text.js'

export const maxNameLength = 64

/**
 * Control characters, direction marks, characters that programs may hide (variation selectors, fillers), and blank
 * characters that Unicode classes as symbols or letters: of braille, musical notation, hieroglyphs and Khitan.
 */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}\u{13441}\u{13442}\u{16fe4}]/u

/** Whether a text has no invisible characters, in which two equal-looking names could differ. */
export const isVisible = (text: string): boolean => !invisible.test(text)

/** Visible characters without spaces at the ends. */
export const isName = (text: string): boolean =>
  text.length > 0 && [...text].length <= maxNameLength && cleanCopied(text) === text && isVisible(text)

/** Throws `invalid_request` for `field` if the text is not a valid name. */
export const checkName = (field: string, text: string): void => {
  if (!isName(text)) throw invalidField(field, 'name', { limit: maxNameLength })
}
