const notInLine = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** Text as it may stand in a line of output: what moves the cursor, changes colours or begins another line is a space. */
export const toOneLine = (text: string): string => text.replace(notInLine, ' ')

/** JSON in which such characters are escaped, those too that JSON lets through, such as U+009B. */
export const toPrintableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(character.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  )
