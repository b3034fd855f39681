import { invalidField } from '../../../lib/problem.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { isVisible } from '../../../lib/visible-text.js'

export const maxNameLength = 64

/** Visible characters without spaces at the ends. */
export const isName = (text: string): boolean =>
  text.length > 0 && [...text].length <= maxNameLength && cleanCopied(text) === text && isVisible(text)

/** Throws `invalid_request` for `field` if the text is not a valid name. */
export const checkName = (field: string, text: string): void => {
  if (!isName(text)) throw invalidField(field, 'name', { limit: maxNameLength })
}
