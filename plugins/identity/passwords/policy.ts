import { fold } from '../../../db/fold.js'
import { invalidField } from '../../../lib/problem.js'
// Made by `npm run common-passwords`: one password a line.
import common from './common-passwords.json' with { type: 'json' }

/** Code points. Longer passwords cost time and are not safer. */
export const maxLength = 128

/** Letters and digits that a password must contain besides names. */
const minOwnCharacters = 6
/** Shorter names are ignored: they are part of many words. */
const minNameLength = 3
/** Digits that a common password must be followed by to be accepted. */
const minOwnDigits = 6

const isInList = (text: string): boolean => !text.includes('\n') && common.passwords.includes(`\n${text}\n`)

/** One to four characters, repeated: 88888888, abababab. */
const isRepetition = (password: string) => /^(.{1,4}?)\1+$/su.test(password)

/** Consecutive characters, ascending or descending: 12345678, hgfedcba. */
const isSequence = (password: string): boolean => {
  const points = [...password].map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)))
  return steps.size === 1 && [-1, 1].includes([...steps][0] ?? 0)
}

const isCommon = (password: string): boolean => {
  // Punctuation at the end does not count: `password!` is among the first guesses of every attacker.
  const bare = password.replace(/[\s!-/:-@[-`{-~]+$/u, '')
  if ([password, bare].some((text) => isInList(text) || isRepetition(text) || isSequence(text))) return true
  const [, stem = '', digits = ''] = /^(.*?\D)(\d+)$/su.exec(bare) ?? []
  return isInList(stem) && (digits.length < minOwnDigits || isInList(digits) || isSequence(digits))
}

const consistsOfNames = (password: string, names: string[]): boolean => {
  const used = names.map(fold).filter((name) => name.length >= minNameLength && password.includes(name))
  const rest = used.reduce((text, name) => text.replaceAll(name, ''), password)
  return used.length > 0 && rest.replace(/[^\p{L}\p{N}]/gu, '').length < minOwnCharacters
}

/**
 * Refuses a new password that is too short, too long, common, or consists mostly of `names` (user name, service name). All
 * characters are allowed and none is required (NIST SP 800-63B 3.1.1.2). Throws `invalid_request` for `field`.
 */
export const checkNewPassword = (field: string, password: string, names: string[], minLength: number): void => {
  // A lone surrogate has no UTF-8 form: all of them would be hashed as the same password.
  if (!password.isWellFormed()) throw invalidField(field, 'half_character')
  const normalised = password.normalize('NFKC')
  const length = [...normalised].length
  if (length < minLength) throw invalidField(field, 'minLength', { limit: minLength })
  if (length > maxLength) throw invalidField(field, 'maxLength', { limit: maxLength })
  const folded = fold(normalised)
  if (consistsOfNames(folded, names)) throw invalidField(field, 'password_of_names')
  if (isCommon(folded)) throw invalidField(field, 'common_password')
}
