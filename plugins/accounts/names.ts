import { invalidField } from '../errors/problem.js'

const longestName = 64

/** Visible characters without spaces at the ends: a name that looks like another must not differ from it. */
export const isName = (text: string) =>
  text.length > 0 && [...text].length <= longestName && text.trim() === text && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text)

/** Throws `invalid_request` about `field` for what nobody may be called. */
export const checkName = (field: string, text: string): void => {
  if (!isName(text)) throw invalidField(field, 'name', { limit: longestName })
}
