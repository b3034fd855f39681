/**
 * A secret as people see it: without the line breaks at the end that editors and `echo` add, and without the invisible byte order mark
 * of some editors. Every secret from the environment, a file or standard input is read by this function. Blanks belong to a password.
 */
export const readSecretText = (text: string): string => text.replace(/^\u{feff}/u, '').replace(/[\r\n]+$/, '')

/** The same for a master secret, in which blanks at its ends are not meant. */
export const readMasterSecret = (text: string): string => readSecretText(text).trim()
