const blank = /^[\p{White_Space}\u{feff}]$/u

const isBlank = (character: string | undefined): boolean => character !== undefined && blank.test(character)

/**
 * What comes along unseen with a text that is copied from a page, a chat or a file: soft hyphens, direction marks, zero-width spaces,
 * joiners of words and variation selectors. No name, number or address needs one. Joiners of letters stay: some scripts need them.
 */
export const unseenSigns = [
  ...[
    0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069,
  ],
  ...Array.from({ length: 16 }, (_, index) => 0xfe00 + index),
].map((point) => String.fromCodePoint(point))
const unseen = new RegExp(unseenSigns.join('|'), 'gu')

/** A name, number or address as it was meant: without those signs, and without the blanks of Unicode at its ends. */
export const cleanCopied = (copied: string): string => {
  const text = copied.replace(unseen, '')
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

const seen = /[!-~]/

/** Whether nothing of a text is seen: no more than blanks and those signs. */
export const isUnseen = (text: string): boolean => !seen.test(text) && cleanCopied(text) === ''
