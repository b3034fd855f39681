import { fold } from '../../fold.js'
import type { UserFilter } from '../../user-list/selection.js'

/** The first pairs of a long text leave so few users that more pairs save nothing. */
const maxPairs = 32

const token = (prefix: string, text: string) => `${prefix}${Buffer.from(text).toString('hex')}`

/** An FTS5 query for the names that have all pairs of characters of `text`. */
const hasPairs = (prefix: 'u' | 'r', text: string): string => {
  const characters = [...text]
  // A single character is the first of a pair or the last of a name.
  if (characters.length < 2) return `${token(prefix, text)}*`
  const pairs = characters.slice(1).map((_, index) => token(prefix, characters.slice(index, index + 2).join('')))
  return [...new Set(pairs)].slice(0, maxPairs).join(' AND ')
}

/** The FTS5 query for the names that a filter can mean; empty for a filter without names. */
export const matchOf = ({ username, realName, keyword }: UserFilter): string => {
  const parts = [
    username && hasPairs('u', fold(username)),
    realName && hasPairs('r', fold(realName)),
    keyword && `(${hasPairs('u', fold(keyword))}) OR (${hasPairs('r', fold(keyword))})`,
  ]
  return parts.flatMap((part) => (part ? `(${part})` : [])).join(' AND ')
}

/**
 * The rows of `users` that a search must read: those that the index of names (name-index.ts) finds, and those whose names are not
 * indexed. The only parameter is the query of `matchOf`. The filter itself must still be applied.
 */
export const candidates = `(
    select rowid as id from user_grams where user_grams match ? and rowid not in (select user_id from user_name_changes)
    union all select user_id from user_name_changes
  ) as candidates cross join main.users on users.id = candidates.id`
