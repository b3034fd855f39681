import { dictionary } from '@zxcvbn-ts/language-common'
import { fold } from '../../db/fold.js'
import { invalidField } from '../../lib/problem.js'

/** Longer passwords cost time and add nothing. Code points. */
export const maxLength = 128

/** A password must bring this many letters or digits beside the names it contains. */
const minOwnCharacters = 6
/** Shorter names are part of too many words to mean anything. */
const minNameLength = 3
/** Fewer digits than this behind a common password do not make it a good one. */
const minOwnDigits = 6

const common = new Set(dictionary['passwords-common'])

/** A few characters over and over: 88888888, abababab. */
const isRepetition = (password: string) => /^(.{1,4}?)\1+$/su.test(password)

/** Characters in their order, up or down: 12345678, hgfedcba. */
const isSequence = (password: string): boolean => {
  const points = [...password].map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)))
  return steps.size === 1 && [-1, 1].includes([...steps][0] ?? 0)
}

const isCommon = (password: string): boolean => {
  // An exclamation mark at the end is the first thing that everybody tries.
  const bare = password.replace(/[\s!-/:-@[-`{-~]+$/u, '')
  if ([password, bare].some((text) => common.has(text) || isRepetition(text) || isSequence(text))) return true
  const [, stem = '', digits = ''] = /^(.*?\D)(\d+)$/su.exec(bare) ?? []
  return common.has(stem) && (digits.length < minOwnDigits || common.has(digits) || isSequence(digits))
}

const isMadeOf = (password: string, names: string[]): boolean => {
  const used = names.map(fold).filter((name) => name.length >= minNameLength && password.includes(name))
  const rest = used.reduce((text, name) => text.replaceAll(name, ''), password)
  return used.length > 0 && rest.replace(/[^\p{L}\p{N}]/gu, '').length < minOwnCharacters
}

/**
 * Refuses a new password that is too short, too long, common, or made of the `names` around it (NIST SP 800-63B
 * 3.1.1.2): any characters, no composition rules. Throws `invalid_request` about `field`.
 */
export const checkNewPassword = (field: string, password: string, names: string[], minLength: number): void => {
  // Half a character has no UTF-8: all such halves would be one and the same password.
  if (!password.isWellFormed()) throw invalidField(field, 'half_character')
  const normalised = password.normalize('NFKC')
  const length = [...normalised].length
  if (length < minLength) throw invalidField(field, 'minLength', { limit: minLength })
  if (length > maxLength) throw invalidField(field, 'maxLength', { limit: maxLength })
  const folded = fold(normalised)
  if (isMadeOf(folded, names)) throw invalidField(field, 'password_of_names')
  if (isCommon(folded)) throw invalidField(field, 'common_password')
}
