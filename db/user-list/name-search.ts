import { fold } from '../fold.js'
import type { Statement } from './listing-sqlite.js'
import type { UserFilter } from './selection.js'

/** Further parts of a long text rule out next to nobody. */
const maxGrams = 32

const token = (prefix: string, text: string) => `${prefix}${Buffer.from(text).toString('hex')}`

/** Those whose name has all parts of `text`, in the query language of FTS5. */
const hasParts = (prefix: 'u' | 'r', text: string): string => {
  const characters = [...text]
  // A single character is the beginning of a pair, or the last of a name.
  if (characters.length < 2) return `${token(prefix, text)}*`
  const pairs = characters.slice(1).map((_, index) => token(prefix, characters.slice(index, index + 2).join('')))
  return [...new Set(pairs)].slice(0, maxGrams).join(' AND ')
}

const matchOf = ({ username, realName, keyword }: UserFilter): string => {
  const parts = [
    username && hasParts('u', fold(username)),
    realName && hasParts('r', fold(realName)),
    keyword && `(${hasParts('u', fold(keyword))}) OR (${hasParts('r', fold(keyword))})`,
  ]
  return parts.flatMap((part) => (part ? `(${part})` : [])).join(' AND ')
}

/**
 * The source of rows of `users` for a filter: all of them, or those who can have a name that it asks for. The index of
 * names (see `sqlite/name-grams.ts`) says who that is, but for those whose name has changed since they were indexed. It
 * may name too many, and the filter itself decides.
 */
export const candidatesOf = (filter: UserFilter): Statement => {
  const match = matchOf(filter)
  if (match === '') return { sql: 'main.users', parameters: [] }
  return {
    sql: `(
      select rowid as id from user_grams where user_grams match ? and rowid not in (select user_id from user_name_changes)
      union all select user_id from user_name_changes
    ) as candidates cross join main.users on users.id = candidates.id`,
    parameters: [match],
  }
}
