const notInLine = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** Text that is safe in one line of output: spaces replace characters that move the cursor, change colours or begin a line. */
export const toOneLine = (text: string): string => text.replace(notInLine, ' ')

/** JSON in which all such characters are escaped, also those that JSON allows, such as U+009B. */
export const toPrintableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(character.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  )
