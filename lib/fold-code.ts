/** Also what a copy may bring along unseen, such as a zero-width space. */
const separator = /[\p{White_Space}\p{Dash}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The form in which codes are compared that people copy from a picture or a message: `１２３ 456` and `123-456` are both
 * `123456`.
 */
export const foldCode = (text: string): string => text.normalize('NFKC').replace(separator, '')
