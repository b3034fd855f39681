import { fold } from '../../fold.js'
import type { UserFilter } from '../../user-list/selection.js'

const token = (prefix: string, text: string) => `${prefix}${Buffer.from(text).toString('hex')}`

/** An FTS5 query for the names that contain `text`: those that have its pairs of characters one after the other. */
const containing = (prefix: 'u' | 'r', text: string): string => {
  const characters = [...text]
  // A single character is the first of a pair or the last of a name.
  if (characters.length < 2) return `${token(prefix, text)}*`
  const pairs = characters.slice(1).map((_, index) => token(prefix, characters.slice(index, index + 2).join('')))
  return `"${pairs.join(' ')}"`
}

/** The FTS5 query for the names that a filter means; empty for a filter without names. */
export const matchOf = ({ username, realName, keyword }: UserFilter): string => {
  const parts = [
    username && containing('u', fold(username)),
    realName && containing('r', fold(realName)),
    keyword && `(${containing('u', fold(keyword))}) OR (${containing('r', fold(keyword))})`,
  ]
  return parts.flatMap((part) => (part ? `(${part})` : [])).join(' AND ')
}

/** Those whose names are not in the index (name-index.ts), or are in it as they were before. */
export const notIndexed = 'select user_id from user_name_changes'

/** The ids of all others whom a query of `matchOf` means: its only parameter. */
export const indexed = `select rowid as id from user_grams where user_grams match ? and rowid not in (${notIndexed})`
