import { sql, type Kysely } from 'kysely'
import { emailKey } from '../../email-key.js'
import { fold } from '../../fold.js'
import type { UserFilter, UserSelection } from '../../user-list/selection.js'

/** The first pairs of a long text leave so few users that more pairs save nothing. */
const maxPairs = 32

/**
 * Creates the index in which the list searches for parts of names: each character and each pair of neighbouring characters,
 * with the prefix u (user name) or r (real name). The server keeps it up to date with each write.
 */
export const createNameIndex = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create function user_grams(username_key text, real_name_key text) returns text[]
    language sql immutable strict parallel safe as $$
      select array(
        select distinct prefix || substr(name, place, size)
        from (values ('u', username_key), ('r', real_name_key)) as names(prefix, name),
          generate_series(1, length(name)) as place, (values (1), (2)) as sizes(size))
    $$`.execute(db)
  await sql`create index users_by_grams on users using gin (user_grams(username_key, real_name_key))`.execute(db)
}

const gramsOf = (prefix: 'u' | 'r', text: string): string[] => {
  const characters = [...fold(text)]
  if (characters.length < 2) return characters.map((character) => prefix + character)
  const pairs = characters.slice(1).map((_, index) => prefix + characters.slice(index, index + 2).join(''))
  return [...new Set(pairs)].slice(0, maxPairs)
}

const hasGrams = (prefix: 'u' | 'r', text: string) =>
  sql<boolean>`user_grams(users.username_key, users.real_name_key) @> ${gramsOf(prefix, text)}::text[]`

/** As an array, which is read once: so that the server can use the indexes of all parts of an `or`. */
const hasContact = (column: 'phone_key' | 'email_key', key: string) =>
  sql<boolean>`users.id = any(array(
    select id from users where tenant_id in (select id from tenants) and ${sql.ref(column)} = ${key}))`

/** Lets the index find the users whom a search can mean; the filter itself must still be applied. */
export const narrowByGrams = <O>(start: UserSelection<O>, filter: UserFilter): UserSelection<O> => {
  const { username, realName, keyword, search, searchPhoneKey, searchEmail } = filter
  let query = start
  if (username !== undefined) query = query.where(hasGrams('u', username))
  if (realName !== undefined) query = query.where(hasGrams('r', realName))
  if (keyword !== undefined)
    query = query.where((either) => either.or([hasGrams('u', keyword), hasGrams('r', keyword)]))
  if (search !== undefined)
    query = query.where((either) =>
      either.or([
        hasGrams('u', search),
        hasGrams('r', search),
        ...(searchPhoneKey === undefined ? [] : [hasContact('phone_key', searchPhoneKey)]),
        ...(searchEmail === undefined ? [] : [hasContact('email_key', emailKey(searchEmail))]),
      ]),
    )
  return query
}
