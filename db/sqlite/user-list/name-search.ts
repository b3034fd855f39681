import { fold } from '../../fold.js'
import type { ComparedValues, UserFilter } from '../../user-list/selection.js'

const token = (prefix: string, text: string) => `${prefix}${Buffer.from(text).toString('hex')}`

/** An FTS5 query for the names that contain `text`: those that have its pairs of characters one after the other. */
const containing = (prefix: 'u' | 'r', text: string): string => {
  const characters = [...text]
  // A single character is the first of a pair or the last of a name.
  if (characters.length < 2) return `${token(prefix, text)}*`
  const pairs = characters.slice(1).map((_, index) => token(prefix, characters.slice(index, index + 2).join('')))
  return `"${pairs.join(' ')}"`
}

const inEither = (text: string): string => `(${containing('u', fold(text))}) OR (${containing('r', fold(text))})`

/** The FTS5 query for the names that a filter means; empty for a filter without names. */
export const matchOf = ({ username, realName, keyword, search }: UserFilter): string => {
  const parts = [
    username && containing('u', fold(username)),
    realName && containing('r', fold(realName)),
    keyword && inEither(keyword),
    search && inEither(search),
  ]
  return parts.flatMap((part) => (part ? `(${part})` : [])).join(' AND ')
}

/** Those whose names are not in the index (name-index.ts), or are in it as they were before. */
export const notIndexed = 'select user_id from user_name_changes'

/** The ids whom a query of `matchOf` means, its first parameter, without those of `others`. */
export const indexedBut = (others: string): string =>
  `select rowid as id from user_grams where user_grams match ? and rowid not in (${others})`

/** The ids of those who have a contact that a search means. */
const haveContact = (column: 'phone_key' | 'email_key') =>
  `select id from main.users where tenant_id in (select id from tenants) and ${column} = ?`

/** The ids of those whom a search finds by other means than the index of names, and the values of its parameters. */
export const beside = ({ searchPhoneKey, searchEmailKey }: ComparedValues) => {
  const contacts = { phone_key: searchPhoneKey, email_key: searchEmailKey }
  const given = Object.entries(contacts).filter(([, value]) => value !== undefined) as [keyof typeof contacts, string][]
  return {
    sql: [notIndexed, ...given.map(([column]) => haveContact(column))].join(' union all '),
    parameters: given.map(([, value]) => value),
  }
}
