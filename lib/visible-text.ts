/**
 * Control characters, direction marks, characters that programs may hide (variation selectors, fillers), and blank
 * characters that Unicode classes as symbols or letters: of braille, musical notation, hieroglyphs and Khitan.
 */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}\u{13441}\u{13442}\u{16fe4}]/u

/** Whether a text has no invisible characters, in which two equal-looking names could differ. */
export const isVisible = (text: string): boolean => !invisible.test(text)
