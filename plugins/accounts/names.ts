import { invalidField } from '../../lib/problem.js'

const maxNameLength = 64

/**
 * Controls, marks of direction, what programs may leave out when they show a text (variation selectors, fillers), and blanks
 * that are called symbols or letters: of braille, musical notation, hieroglyphs and Khitan.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}\u{13441}\u{13442}\u{16fe4}]/u

/** Whether every character of a text can be seen: two that look alike must not differ by one that cannot. */
export const isVisible = (text: string): boolean => !unseen.test(text)

/** Visible characters without spaces at the ends. */
export const isName = (text: string): boolean =>
  text.length > 0 && [...text].length <= maxNameLength && text.trim() === text && isVisible(text)

/** Throws `invalid_request` about `field` for what nobody may be called. */
export const checkName = (field: string, text: string): void => {
  if (!isName(text)) throw invalidField(field, 'name', { limit: maxNameLength })
}
