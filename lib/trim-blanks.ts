const blank = /^[\p{White_Space}\u{feff}]$/u

const isBlank = (character: string | undefined): boolean => character !== undefined && blank.test(character)

/** A text without the blanks of Unicode at its ends: keyboards add them after a word. */
export const trimBlanks = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}
